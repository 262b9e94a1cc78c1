#include "maggi/formulation/law_solutions.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "maggi/formulation/dynamics.hpp"

namespace maggi {

namespace {

/// law(λ₀ + Λ τ, τ) = 0, for forces in any range.
class ReducedLaws {
 public:
  ReducedLaws(const System& system, const Instant& at, const Mode& mode, Vector lambda0, Matrix Lambda, Workspace& w)
      : system_(system), at_(at), mode_(mode), lambda0_(std::move(lambda0)), Lambda_(std::move(Lambda)), w_(w) {}

  /// K at these forces, and what the laws give besides.
  void linearise(const Vector& lambda, const Vector& tau) {
    system_.laws(at_, lambda.data(), tau.data(), mode_.sense.data(), w_);
    const Terms& terms = w_.terms;
    const Eigen::PartialPivLU<Matrix> by_tau(terms.law_gradient.rightCols(tau.size()));
    K_ = by_tau.solve(terms.law_gradient.leftCols(lambda.size()));
    given_ = tau - by_tau.solve(terms.law) + K_ * lambda;
    residual_ = terms.law.norm();
  }
  const Matrix& K() const { return K_; }
  double determinant(const Matrix& K) const {
    return (Matrix::Identity(K.rows(), K.rows()) + K * Lambda_).determinant();
  }
  Vector solve() const {
    const Matrix matrix = Matrix::Identity(K_.rows(), K_.rows()) + K_ * Lambda_;
    return matrix.partialPivLu().solve(given_ - K_ * lambda0_);
  }
  Vector lambda(const Vector& tau) const { return lambda0_ + Lambda_ * tau; }
  double residual() const { return residual_; }

 private:
  const System& system_;
  const Instant& at_;
  const Mode& mode_;
  Vector lambda0_;
  Matrix Lambda_;
  Workspace& w_;
  Matrix K_;
  Vector given_;
  double residual_ = 0.0;
};

/// Newton's method from the linearisation at hand, damped; laws in |N| are done when the signs are.
bool finish(ReducedLaws& laws, LawSolutions::Forces& forces) {
  constexpr int most = 50;
  constexpr double rounding = 1e-10, shortest = 1.0 / 64;
  Vector& tau = forces.tau;
  const auto go_to = [&](const Vector& next) {
    tau = next;
    forces.lambda = laws.lambda(tau);
    laws.linearise(forces.lambda, tau);
  };
  go_to(laws.solve());
  for (int i = 0; i < most && tau.allFinite(); ++i) {
    if (laws.residual() <= rounding * (1.0 + tau.norm())) return true;
    const double before = laws.residual();
    const Vector from = tau, step = laws.solve() - tau;
    for (double part = 1.0; part >= shortest; part /= 2) {
      go_to(from + part * step);
      if (laws.residual() < (1.0 - 0.1 * part) * before) break;
    }
  }
  return false;
}

void add_if_new(std::vector<LawSolutions::Forces>& found, const LawSolutions::Forces& forces) {
  const bool known = std::ranges::any_of(found, [&](const LawSolutions::Forces& other) {
    return (other.tau - forces.tau).norm() <= 1e-8 * (1.0 + forces.tau.norm()) &&
           (other.lambda - forces.lambda).norm() <= 1e-8 * (1.0 + forces.lambda.norm());
  });
  if (!known) found.push_back(forces);
}

/// The contact without whose friction the determinant would be largest, and at which coefficient it would be zero: with
/// one law it is linear in the coefficient.
void blame(const Shape& shape, const Terms& terms, const ReducedLaws& laws, LawSolutions& result) {
  double largest = result.determinant;
  for (std::size_t c = 0; c < shape.contacts.size(); ++c) {
    Matrix K = laws.K();
    for (const int law : shape.contacts[c].laws) K.row(law).setZero();
    const double without = laws.determinant(K);
    if (without <= largest) continue;
    largest = without;
    result.contact = static_cast<int>(c);
    const bool linear = shape.contacts[c].laws.size() == 1;
    result.critical = linear ? terms.coefficient[c] * without / (without - result.determinant) : 0.0;
  }
}

}  // namespace

LawSolutions Dynamics::law_solutions(const Instant& at, bool list) {
  const Shape& s = shape();
  Terms& terms = workspace_->terms;
  LawSolutions result;
  if (s.laws.empty()) return result;
  system_.acceleration(at, *workspace_);
  shape().M.scatter(terms.M, equations_.M);
  rows_.matrix(terms.C, equations_.C);
  rows_.vector(terms.gamma, equations_.gamma);
  find_directions();

  // the constraints without laws: λ₀ and Λ
  const Eigen::Index n = s.n(), m = rows_.size(), laws = static_cast<Eigen::Index>(s.laws.size());
  Matrix kkt(n + m, n + m), right = Matrix::Zero(n + m, 1 + laws);
  kkt << equations_.M, -acting_, equations_.C, Matrix::Zero(m, m);
  right.col(0) << terms.h, equations_.gamma;
  right.topRightCorner(n, laws) = T_;
  const Matrix solution = kkt.partialPivLu().solve(right);
  Vector lambda0 = Vector::Zero(s.m());
  Matrix Lambda = Matrix::Zero(s.m(), laws);
  for (Eigen::Index i = 0; i < m; ++i) {
    lambda0[rows_.rows()[i]] = solution(n + i, 0);
    Lambda.row(rows_.rows()[i]) = solution.row(n + i).tail(laws);
  }
  ReducedLaws reduced(system_, at, mode_, lambda0, Lambda, *workspace_);

  constexpr std::size_t most_pressing = 6;  // 64 combinations of signs; of further rows the sign is that of λ₀
  for (const int row : rows_.rows())
    if (s.rows[row].kind == RowKind::with_law && result.pressing.size() < most_pressing) result.pressing.push_back(row);
  const double size = std::max(lambda0.lpNorm<Eigen::Infinity>(), 1e-6);
  std::vector<Vector> probes;
  for (int signs = 0; signs < 1 << result.pressing.size(); ++signs) {
    probes.push_back(lambda0);
    for (std::size_t k = 0; k < result.pressing.size(); ++k)
      probes.back()[result.pressing[k]] = signs >> k & 1 ? -size : size;
  }
  // a law in the length of several reactions is worst where they are along the change that its own force makes
  for (Eigen::Index l = 0; l < laws; ++l)
    if (const double change = Lambda.col(l).norm(); change > 0.0)
      for (const double sign : {1.0, -1.0}) probes.push_back(sign * size / change * Lambda.col(l));
  const auto visit = [&](const auto& look) {
    for (const Vector& probe : probes) {
      reduced.linearise(probe, Vector::Zero(laws));
      look();
    }
  };
  visit([&] {
    const double determinant = reduced.determinant(reduced.K());
    if (determinant >= result.determinant) return;
    result.determinant = determinant;
    if (!result.unique()) blame(s, terms, reduced, result);
  });
  if (result.unique() && !list) return result;
  visit([&] {
    LawSolutions::Forces forces;
    if (finish(reduced, forces)) add_if_new(result.found, forces);
  });
  return result;
}

std::string LawSolutions::explain(const Shape& shape) const {
  std::string text =
      found.empty() ? "no forces satisfy the laws" : fmt::format("{} sets of forces satisfy the laws", found.size());
  if (contact >= 0) {
    text += fmt::format(": the friction of \"{}\" is ", shape.contacts[contact].name);
    text += critical > 0.0 ? fmt::format("beyond its critical coefficient {:.6g}", critical) : "too large";
  }
  text += fmt::format(" (det C M⁻¹G is {:.3g} of its value without friction)", determinant);
  for (std::size_t i = 0; i < found.size(); ++i) {
    text += i == 0 ? "; " : " or ";
    for (std::size_t k = 0; k < pressing.size(); ++k)
      text += fmt::format("{}lambda.{} = {:.6g}", k == 0 ? "" : ", ", shape.rows[pressing[k]].name,
                          found[i].lambda[pressing[k]]);
  }
  return text;
}

Matrix open_multipliers(Matrix C, const std::vector<int>& independent, const std::vector<int>& dependent) {
  Matrix Z = Matrix::Zero(C.rows(), static_cast<Eigen::Index>(dependent.size()));
  if (dependent.empty()) return Z;

  // rows in different units: compare directions, not lengths
  const Vector length = C.rowwise().norm().unaryExpr([](double norm) { return norm > 0.0 ? norm : 1.0; });
  C.array().colwise() /= length.array();

  Matrix columns(C.cols(), static_cast<Eigen::Index>(independent.size()));
  for (Eigen::Index j = 0; j < columns.cols(); ++j) columns.col(j) = C.row(independent[j]).transpose();
  Eigen::ColPivHouseholderQR<Matrix> qr;
  if (columns.cols() > 0) qr.compute(columns);  // Eigen's has no answer without columns

  // c_i = Σ w_j c_j gives z = e_i − Σ w_j e_j; parts below this are rounding of the solve, not dependence
  constexpr double negligible = 1e-9;
  for (Eigen::Index k = 0; k < Z.cols(); ++k) {
    const int i = dependent[k];
    Z(i, k) = 1.0 / length[i];
    if (columns.cols() == 0) continue;
    const Vector weights = qr.solve(C.row(i).transpose());
    for (Eigen::Index j = 0; j < columns.cols(); ++j)
      if (std::abs(weights[j]) > negligible) Z(independent[j], k) = -weights[j] / length[independent[j]];
  }
  return Z;
}

}  // namespace maggi
