#include "dynamics/law_solutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "dynamics/reduced_laws.hpp"

namespace maggi {

namespace {

/// Newton's method from the linearisation at hand, damped; laws in |N| are done when the signs are.
bool finish(const Instant& at, ReducedLaws& laws, LawSolutions::Forces& forces) {
  constexpr int most = 50;
  constexpr double rounding = 1e-10, shortest = 1.0 / 64;
  Vector &tau = forces.tau, from, step;
  const auto look = [&] {
    laws.find_lambda(tau, forces.lambda);
    laws.linearise(at, forces.lambda, tau);
  };
  laws.solve(tau);
  look();
  for (int i = 0; i < most && tau.allFinite(); ++i) {
    if (laws.residual() <= rounding * (1.0 + tau.norm())) return true;
    const double before = laws.residual();
    from = tau;
    laws.solve(step);
    step -= from;
    for (double part = 1.0; part >= shortest; part /= 2) {
      tau = from + part * step;
      look();
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
void blame(const Shape& shape, const Terms& terms, ReducedLaws& laws, LawSolutions& result) {
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

/// Reactions at which the laws are looked at: all signs of those that press; and, because a law in the length of
/// several reactions is worst there, along the change that each law's own force makes.
class Probes {
 public:
  Probes(const ReducedLaws& laws, const std::vector<int>& pressing)
      : laws_(laws), pressing_(pressing), size_(std::max(largest(laws.lambda0()), 1e-6)) {}

  template <class Look>
  void visit(Vector& lambda, const Look& look) const {
    for (int signs = 0; signs < 1 << pressing_.size(); ++signs) {
      lambda = laws_.lambda0();
      for (std::size_t k = 0; k < pressing_.size(); ++k) lambda[pressing_[k]] = signs >> k & 1 ? -size_ : size_;
      look();
    }
    for (Eigen::Index l = 0; l < laws_.Lambda().cols(); ++l)
      if (const double change = laws_.Lambda().col(l).norm(); change > 0.0)
        for (const double sign : {1.0, -1.0}) {
          lambda = sign * size_ / change * laws_.Lambda().col(l);
          look();
        }
  }

 private:
  const ReducedLaws& laws_;
  const std::vector<int>& pressing_;
  double size_;
};

/// 64 combinations of signs at most; of further rows the sign is that of λ₀.
void find_pressing(const Shape& shape, const std::vector<int>& rows, std::vector<int>& pressing) {
  constexpr std::size_t most = 6;
  pressing.clear();
  for (const int row : rows)
    if (shape.rows[row].kind == RowKind::with_law && pressing.size() < most) pressing.push_back(row);
}

}  // namespace

void LawSolutions::find(const Shape& shape, const Terms& terms, const Instant& at, const std::vector<int>& rows,
                        bool list, ReducedLaws& reduced) {
  find_pressing(shape, rows, pressing);
  const Probes probes(reduced, pressing);
  probes.visit(probe_lambda_, [&] {
    reduced.linearise(at, probe_lambda_, no_tau_);
    const double at_probe = reduced.determinant();
    if (at_probe >= determinant) return;
    determinant = at_probe;
    if (!unique()) blame(shape, terms, reduced, *this);
  });
  if (unique() && !list) return;
  probes.visit(probe_lambda_, [&] {
    reduced.linearise(at, probe_lambda_, no_tau_);
    Forces forces;
    if (finish(at, reduced, forces)) add_if_new(found, forces);
  });
}

void LawSolutions::reset(int laws) {
  determinant = 1.0;
  contact = -1;
  critical = 0.0;
  found.clear();
  if (no_tau_.size() != laws) no_tau_.setZero(laws);
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
