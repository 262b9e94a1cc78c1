#include "dynamics/solution_derivatives.hpp"

#include "dynamics/servo_rows.hpp"

namespace maggi {

bool SolutionDerivatives::compute(const Instant& at) {
  const int n = dynamics_.shape().n();
  a_.vdot.resize(n);
  if (!dynamics_.accelerate(at, a_.vdot.data())) return false;
  dynamics_.last_forces(a_);
  fill_matrix(at);
  fill_right_side(at);
  if (!K_.allFinite() || !right_.allFinite()) return false;
  lu_.compute(K_);
  all_ = lu_.solve(right_);
  vdot_q_ = all_.topLeftCorner(n, n);
  vdot_v_ = all_.topRightCorner(n, n);
  return all_.allFinite();
}

void SolutionDerivatives::fill_matrix(const Instant& at) {
  const System& system = dynamics_.system();
  const Shape& s = dynamics_.shape();
  Workspace& w = dynamics_.workspace();
  const Terms& terms = w.terms;
  const RowSelection& rows = dynamics_.rows();
  const auto n = static_cast<Eigen::Index>(s.n()), m = static_cast<Eigen::Index>(rows.size()),
             laws = static_cast<Eigen::Index>(s.laws.size());
  system.acceleration(at, w);
  M_.resize(n, n);
  s.M.scatter(terms.M, M_);
  T_.resize(n, laws);
  if (laws > 0) s.T.scatter(terms.T, T_);
  curvature_.setZero(n, n);
  if (s.s_a > 0) {
    system.nonlinear_rows(at, a_.vdot.data(), a_.lambda.data(), w);
    s.M.scatter(terms.curvature, curvature_);
  }
  C_.resize(m, n);
  rows.matrix(terms.C, C_);
  const Eigen::Index unknowns = n + m + laws;  // p by the rows that controls keep
  K_.setZero(unknowns, unknowns);
  K_.topLeftCorner(n, n) = M_ - curvature_;
  K_.block(n, 0, m, n) = C_;
  if (laws > 0) system.laws(at, a_.lambda.data(), a_.tau.data(), dynamics_.mode().sense.data(), w);
  Eigen::Index next = n;
  for (Eigen::Index i = 0; i < m; ++i) {
    const int row = rows.rows()[static_cast<std::size_t>(i)];
    if (!s.rows[row].has_multiplier()) continue;
    K_.col(next).head(n) = -C_.row(i).transpose();
    if (laws > 0) K_.col(next).tail(laws) = terms.law_gradient.col(row);
    ++next;
  }
  K_.block(0, next, n, laws) = -T_;
  if (laws > 0) K_.block(n + m, next, laws, laws) = terms.law_gradient.rightCols(laws);
  next += laws;
  for (Eigen::Index i = 0; i < m; ++i)
    if (!s.rows[rows.rows()[static_cast<std::size_t>(i)]].has_multiplier())
      K_.col(next++).head(n) = -dynamics_.acting().col(i);
}

void SolutionDerivatives::fill_right_side(const Instant& at) {
  const System& system = dynamics_.system();
  const Shape& s = dynamics_.shape();
  Workspace& w = dynamics_.workspace();
  const RowSelection& rows = dynamics_.rows();
  const Eigen::Index n = s.n(), m = rows.size();
  system.acceleration_derivatives(at, a_, dynamics_.mode().sense, w, d_);
  right_.resize(K_.rows(), 2 * n);
  right_.topRows(n) << d_.balance_q, d_.balance_v;
  for (Eigen::Index k = 0; k < m; ++k) {
    const int row = rows.rows()[static_cast<std::size_t>(k)];
    right_.row(n + k) << d_.rows_q.row(row), d_.rows_v.row(row);
  }
  for (Eigen::Index k = 0; k < d_.law_q.rows(); ++k) right_.row(n + m + k) << -d_.law_q.row(k), -d_.law_v.row(k);
  const auto [alpha, beta] = dynamics_.stabilisation();
  if (alpha == 0.0 && beta == 0.0) return;
  system.velocity_derivatives(at, w, d_);
  for (Eigen::Index k = 0; k < m; ++k) {
    const int row = rows.rows()[static_cast<std::size_t>(k)];
    if (row >= s.s_p + s.s_v) continue;
    right_.row(n + k).head(n) -= 2.0 * alpha * d_.phi_q.row(row);
    right_.row(n + k).tail(n) -= 2.0 * alpha * C_.row(k);
    if (row < s.s_p) right_.row(n + k).head(n) -= beta * beta * C_.row(k);
  }
}

void SolutionDerivatives::power(const Instant& at, Vector& by_q, Vector& by_v) {
  Workspace& w = dynamics_.workspace();
  const Eigen::Map<const Vector> v(at.v, dynamics_.shape().n());
  momentum_.noalias() = M_ * v;
  accelerations_.vdot = a_.vdot;
  dynamics_.system().acceleration(at, w);
  by_v.noalias() = M_ * a_.vdot;
  by_v -= w.terms.h;
  dynamics_.system().acceleration_derivatives(at, accelerations_, none_, w, d_);  // of h − M v̇ alone
  by_v.noalias() += vdot_v_.transpose() * momentum_;
  by_v.noalias() -= d_.balance_v.transpose() * v;
  by_q.noalias() = vdot_q_.transpose() * momentum_;
  by_q.noalias() -= d_.balance_q.transpose() * v;
}

}  // namespace maggi
