#include "formulation/range_space.hpp"

#include "base/cholesky.hpp"
#include "basis/metric_factor.hpp"

namespace maggi {

RangeSpace::RangeSpace(int n, int max_rows)
    : L_(n, n), H_(n, max_rows), y_(n), x_(n), qr_(n, max_rows), lu_(max_rows) {}

bool RangeSpace::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  const auto m = static_cast<int>(C.rows());
  if (!C.allFinite()) return refuse(not_finite);
  L_ = M;
  if (!cholesky(L_)) return refuse(singular_mass);
  if (H_.cols() != m) H_.resize(C.cols(), m);
  H_ = C.transpose();
  for (int i = 0; i < m; ++i) solve_lower(L_, H_.col(i));
  y_ = h;
  solve_lower(L_, y_);  // L⁻¹h
  if (!equations.ideal()) return solve_nonideal(equations, vdot, lambda);
  qr_.compute(H_);
  x_.setZero();
  for (int k = 0; k < m; ++k) x_[k] = gamma[qr_.order()[k]];
  for (int k = 0; k < m; ++k)
    if (qr_.R(k, k) == 0.0) return refuse(dependent_rows);
  qr_.solve_Rt(m, x_);  // R⁻ᵀγ
  vdot = y_;
  qr_.apply_Qt(vdot);
  x_.head(m) -= vdot.head(m);  // R⁻ᵀγ − Qᵀ L⁻¹h
  qr_.solve_R(m, x_);
  for (int k = 0; k < m; ++k) lambda[qr_.order()[k]] = x_[k];
  vdot = y_;
  vdot.noalias() += H_.lazyProduct(lambda);
  solve_lower_transposed(L_, vdot);
  return true;
}

/// With H = L⁻¹Cᵀ and y = L⁻¹h at hand.
bool RangeSpace::solve_nonideal(const Equations& equations, Vector& vdot, Vector& lambda) {
  grip_ = equations.G;
  if (!grip_.allFinite()) return refuse(not_finite);
  for (Eigen::Index i = 0; i < grip_.cols(); ++i) solve_lower(L_, grip_.col(i));
  S_ = H_.transpose() * grip_;
  if (!lu_.compute(S_)) return refuse(no_grip);
  lambda = equations.gamma - H_.transpose() * y_;
  lu_.solve(lambda);
  vdot = y_ + grip_ * lambda;
  solve_lower_transposed(L_, vdot);
  return true;
}

}  // namespace maggi
