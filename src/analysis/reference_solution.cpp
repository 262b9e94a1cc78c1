#include "analysis/reference_solution.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "analysis/extended_solution.hpp"

namespace maggi::analysis {

namespace {

constexpr double rounding = 20 * std::numeric_limits<double>::epsilon();  // some ten times what is seen
constexpr double largest_tolerance = 1e-3;                                // beyond, nothing could be called wrong

}  // namespace

ReferenceSolution::ReferenceSolution(Dynamics& dynamics, const State& at, const Acceleration& a) : state_(at) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  dynamics.system().acceleration(at, w);
  if (shape.s_a > 0) dynamics.system().nonlinear_rows(at, a.vdot.data(), a.lambda.data(), w);

  const RowSelection& rows = dynamics.rows();
  const RowSelection active(shape, dynamics.active_rows());
  equations_ = {Matrix(shape.n(), shape.n()), w.terms.h, Matrix(rows.size(), shape.n()), Vector(rows.size())};
  shape.M.scatter(w.terms.M, equations_.M);
  rows.matrix(w.terms.C, equations_.C);
  rows.vector(w.terms.gamma, equations_.gamma);
  equations_.J.resize(shape.nx(), shape.n());
  if (shape.nx() > 0) shape.J.scatter(w.terms.J, equations_.J);
  C_.resize(active.size(), shape.n());
  active.matrix(w.terms.C, C_);

  // forces of laws are taken as they are; those of contacts that stick come out as multipliers
  std::vector<int> sticking;
  for (const Contact& contact : shape.contacts)
    if (dynamics.mode().rows[contact.rows[0]])
      sticking.insert(sticking.end(), contact.rows.begin(), contact.rows.end());
  if (!shape.laws.empty()) {
    Matrix T(shape.n(), shape.laws.size());
    shape.T.scatter(w.terms.T, T);
    equations_.h += T * a.tau;
    for (const Contact& contact : shape.contacts)
      for (std::size_t k = 0; k < contact.laws.size(); ++k)
        if (dynamics.mode().rows[contact.rows[k]]) equations_.h -= T.col(contact.laws[k]) * a.tau[contact.laws[k]];
  }

  Vector lambda_active;
  solve_extended(equations_, C_, vdot_, lambda_active);
  lambda_ = Vector::Zero(shape.m());
  active.expand(lambda_active, lambda_);
  for (const int row : sticking) lambda_[row] = 0.0;
  find_scales(active);
  find_condition();
}

void ReferenceSolution::find_scales(const RowSelection& active) {
  S_ = equations_.M.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (Eigen::Index i = 0; i < S_.size(); ++i) {
    if (S_[i] == 0.0)
      S_[i] = 1.0;  // no inertia of its own
    else
      force_ = std::hypot(force_, equations_.h[i] / S_[i]);
  }
  P_ = Vector::Zero(lambda_.size());
  const Vector norms = (C_ * S_.cwiseInverse().asDiagonal()).rowwise().norm();
  active.expand(norms, P_);
}

void ReferenceSolution::find_condition() {
  const Matrix M = S_.cwiseInverse().asDiagonal() * equations_.M * S_.cwiseInverse().asDiagonal();
  const Matrix A = (equations_.C * S_.cwiseInverse().asDiagonal()).rowwise().normalized();
  const auto spread = [](const Matrix& metric) {
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(metric, Eigen::EigenvaluesOnly).eigenvalues();
    return values[0] > 0.0 ? values[values.size() - 1] / values[0] : std::numeric_limits<double>::infinity();
  };
  // a singular mass matrix counts with the constraints added: what is without inertia is held by them
  condition_ = std::min(spread(M), spread(M + A.transpose() * A));
  if (A.rows() == 0) return;
  const Vector sigma = Eigen::JacobiSVD<Matrix>(A).singularValues();
  condition_ *= std::pow(sigma[0] / sigma[sigma.size() - 1], 2);
}

double ReferenceSolution::error(const Vector& scale, const Vector& value, const Vector& other) const {
  const double difference = scale.cwiseProduct(other - value).norm();
  return difference == 0.0 ? 0.0 : difference / (scale.cwiseProduct(value).norm() + force_);
}

double ReferenceSolution::tolerance(double condition_of_D) const {
  return std::min(largest_tolerance, rounding * equations_.n() * condition_ * std::pow(condition_of_D, 2));
}

}  // namespace maggi::analysis
