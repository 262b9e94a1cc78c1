#include "analysis/reference_solution.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/extended_solution.hpp"
#include "base/decompositions.hpp"
#include "base/largest.hpp"

namespace maggi::analysis {

namespace {

constexpr double rounding = 20 * std::numeric_limits<double>::epsilon();  // some ten times what is seen
constexpr double largest_tolerance = 1e-3;                                // beyond, nothing could be called wrong

/// The rows that have a reaction of their own.
std::vector<int> without_servo(const Shape& shape, const std::vector<int>& rows) {
  std::vector<int> result;
  std::ranges::copy_if(rows, std::back_inserter(result), [&](int i) { return shape.rows[i].has_multiplier(); });
  return result;
}

/// Which of some rows are kept by controls.
std::vector<bool> rows_kept(const Shape& shape, const RowSelection& rows) {
  std::vector<bool> kept;
  for (const int row : rows.rows()) kept.push_back(!shape.rows[row].has_multiplier());
  return kept;
}

/// The controls of least norm are combinations p = Sᵀy, with S what a unit of each control does to each row that they
/// keep, [M −C₁ᵀ; C₁ 0] [v̇; λ] = [B; 0], S = C₂ v̇; where there are as many, all controls are.
Matrix least_controls(const Equations& equations, const std::vector<bool>& kept, const Matrix& B) {
  const auto rows = static_cast<Eigen::Index>(std::ranges::count(kept, true));
  if (rows == B.cols()) return Matrix::Identity(rows, rows);
  std::vector<int> servo, ideal;
  for (std::size_t i = 0; i < kept.size(); ++i) (kept[i] ? servo : ideal).push_back(static_cast<int>(i));
  const Matrix C1 = equations.C(ideal, Eigen::all);
  const Eigen::Index n = equations.n(), r = C1.rows();
  Matrix K(n + r, n + r), right = Matrix::Zero(n + r, B.cols());
  K << equations.M, -C1.transpose(), C1, Matrix::Zero(r, r);
  right.topRows(n) = B;
  return (equations.C(servo, Eigen::all) * K.fullPivLu().solve(right).topRows(n)).transpose();
}

/// The force of a contact that sticks is the multiplier of its row, or its τ: from one to the other.
void exchange_sticking(const Shape& shape, const Mode& mode, Acceleration& a) {
  for (const Contact& contact : shape.contacts)
    for (std::size_t k = 0; k < contact.rows.size(); ++k)
      if (mode.rows[contact.rows[k]]) std::swap(a.tau[contact.laws[k]], a.lambda[contact.rows[k]]);
}

Vector stacked(const Acceleration& a) {
  Vector all(a.lambda.size() + a.tau.size() + a.p.size());
  all << a.lambda, a.tau, a.p;
  return all;
}

double spread(const Matrix& metric) {
  if (metric.size() == 0) return 1.0;
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(metric, Eigen::EigenvaluesOnly).eigenvalues();
  return values[0] > 0.0 ? values[values.size() - 1] / values[0] : std::numeric_limits<double>::infinity();
}

double condition_of(const Matrix& A) {
  if (A.size() == 0) return 1.0;
  const Vector sigma = Eigen::JacobiSVD<Matrix>(A).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

}  // namespace

ReferenceSolution::ReferenceSolution(Dynamics& dynamics, const State& at, const Acceleration& near)
    : moment_{at, dynamics.mode(), near.vdot} {
  const System& system = dynamics.system();
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  system.acceleration(at, w);
  if (shape.s_a > 0) system.nonlinear_rows(at, near.vdot.data(), near.lambda.data(), w);
  const auto fill = [&](const RowSelection& rows) {
    equations_.C.resize(rows.size(), shape.n());
    equations_.gamma.resize(rows.size());
    rows.matrix(w.terms.C, equations_.C);
    rows.vector(w.terms.gamma, equations_.gamma);
  };
  equations_.M.resize(shape.n(), shape.n());
  shape.M.scatter(w.terms.M, equations_.M);
  equations_.h = w.terms.h;
  fill(dynamics.rows());

  Acceleration a = near;
  T_ = Matrix::Zero(shape.n(), static_cast<Eigen::Index>(shape.laws.size()));
  B_ = Matrix::Zero(shape.n(), static_cast<Eigen::Index>(shape.controls.size()));
  if (!shape.ideal()) {
    exchange_sticking(shape, moment_.mode, a);
    find_forces(dynamics, system, w, a);
  }
  Matrix C(shape.m(), shape.n());
  shape.C.scatter(w.terms.C, C);
  find_scales(C);
  find_condition();

  // now that the forces of laws and controls are known, the rest is ideal
  equations_.h += T_ * a.tau + B_ * a.p;
  const RowSelection reacting(shape, without_servo(shape, dynamics.active_rows()));
  fill(RowSelection(shape, without_servo(shape, dynamics.rows().rows())));
  Matrix C_reacting(reacting.size(), shape.n());
  reacting.matrix(w.terms.C, C_reacting);
  Vector lambda;
  solve_extended(equations_, C_reacting, vdot_, lambda);
  a.lambda = Vector::Zero(shape.m());
  reacting.expand(lambda, a.lambda);
  exchange_sticking(shape, moment_.mode, a);
  forces_ = stacked(a);

  std::vector<int> implied = reacting.rows();  // servo rows that are not in use follow on the motion only
  std::ranges::copy_if(dynamics.rows().rows(), std::back_inserter(implied),
                       [&](int i) { return !shape.rows[i].has_multiplier(); });
  std::ranges::sort(implied);
  const RowSelection selection(shape, implied);
  C_.resize(selection.size(), shape.n());
  selection.matrix(w.terms.C, C_);
}

/// τ and p, with the laws linearised at the forces nearby:  τ = τ_given − K λ,  M v̇ = h + T τ_given + G λ.
void ReferenceSolution::find_forces(const Dynamics& dynamics, const System& system, Workspace& w, Acceleration& a) {
  const Shape& shape = system.shape();
  const RowSelection& rows = dynamics.rows();
  const Eigen::Index laws = a.tau.size();
  shape.T.scatter(w.terms.T, T_);
  shape.B.scatter(w.terms.B, B_);
  Matrix K = Matrix::Zero(laws, shape.m());
  Vector given = a.tau;
  if (laws > 0) {
    system.laws(moment_.state, a.lambda.data(), a.tau.data(), moment_.mode.sense.data(), w);
    const Eigen::PartialPivLU<Matrix> by_tau(w.terms.law_gradient.rightCols(laws));
    K = by_tau.solve(w.terms.law_gradient.leftCols(shape.m()));
    given += K * a.lambda - by_tau.solve(w.terms.law);
  }
  Equations nonideal = equations_;
  nonideal.h += T_ * given;
  nonideal.G.resize(shape.n(), rows.size());
  const Matrix share = least_controls(equations_, rows_kept(shape, rows), B_);
  Eigen::Index control = 0;
  for (int i = 0; i < rows.size(); ++i) {
    const int row = rows.rows()[i];
    if (!shape.rows[row].has_multiplier())
      nonideal.G.col(i) = B_ * share.col(control++);
    else
      nonideal.G.col(i) = nonideal.C.row(i).transpose() - T_ * K.col(row);
  }
  equations_.G = nonideal.G;
  const Vector lambda = extended_multipliers(nonideal);
  rows.expand(lambda, a.lambda);
  control = 0;
  a.p.setZero();
  for (int i = 0; i < rows.size(); ++i)
    if (const int row = rows.rows()[i]; !shape.rows[row].has_multiplier()) {
      a.p += lambda[i] * share.col(control++);
      a.lambda[row] = 0.0;
    }
  a.tau = given - K * a.lambda;
}

void ReferenceSolution::find_scales(const Matrix& C) {
  S_ = equations_.M.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (Eigen::Index i = 0; i < S_.size(); ++i) {
    if (S_[i] == 0.0)
      S_[i] = 1.0;  // no inertia of its own
    else
      force_ = std::hypot(force_, equations_.h[i] / S_[i]);
  }
  speed_ = S_.cwiseProduct(moment_.state.v).norm();
  Matrix directions(S_.size(), C.rows() + T_.cols() + B_.cols());
  directions << C.transpose(), T_, B_;
  P_ = (S_.cwiseInverse().asDiagonal() * directions).colwise().norm();
}

void ReferenceSolution::find_condition() {
  const auto by_inertia = S_.cwiseInverse().asDiagonal();
  const Matrix M = by_inertia * equations_.M * by_inertia;
  const Matrix A = (equations_.C * by_inertia).rowwise().normalized();
  // a singular mass matrix counts with the constraints added: what is without inertia is held by them
  condition_ = std::min(spread(M), spread(M + A.transpose() * A));
  if (A.rows() == 0) return;
  double of_rows = std::pow(condition_of(A), 2);
  if (!equations_.ideal() && std::isfinite(spread(M))) {
    const Matrix G = by_inertia * equations_.G;
    const Matrix grip = A * M.ldlt().solve(G);
    of_rows = larger(of_rows, condition_of(grip.colwise().normalized().eval().rowwise().normalized()));
  }
  condition_ *= of_rows;
}

double ReferenceSolution::error(const Vector& scale, const Vector& value, const Vector& other) const {
  const double difference = scale.cwiseProduct(other - value).norm();
  const double size = scale.cwiseProduct(value).norm() + force_;
  return difference == 0.0 ? 0.0 : difference / (size > 0.0 ? size : speed_);
}

double ReferenceSolution::force_error(const Acceleration& other) const { return error(P_, forces_, stacked(other)); }

double ReferenceSolution::tolerance(double condition_of_D) const {
  const auto unknowns = static_cast<double>(equations_.n() + equations_.m() + T_.cols() + B_.cols());
  return std::min(largest_tolerance, rounding * unknowns * condition_ * std::pow(condition_of_D, 2));
}

}  // namespace maggi::analysis
