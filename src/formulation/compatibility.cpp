#include "formulation/compatibility.hpp"

namespace maggi {

Compatibility::Compatibility(int n, std::unique_ptr<Basis> basis)
    : basis_(std::move(basis)), K_(2 * n, 2 * n), right_(2 * n), x_(2 * n), r_(n), lu_(2 * n) {}

bool Compatibility::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate] = equations;
  const Eigen::Index n = M.rows(), m = C.rows();
  if (!C.allFinite()) return refuse(not_finite);
  if (!basis_->compute(equations)) return refuse(basis_->why());
  if (basis_->rank() < m) return refuse(dependent_rows);
  K_.setZero();
  K_.topLeftCorner(n, n) = M;
  K_.topRightCorner(n, n).diagonal().setConstant(-1.0);
  K_.block(n, 0, m, n) = C;
  K_.bottomRightCorner(n - m, n) = basis_->D().transpose();
  right_ << h, gamma, Vector::Zero(n - m);
  lu_.compute(K_);
  x_ = lu_.solve(right_);
  if (!x_.allFinite()) return refuse(weightless);
  vdot = x_.head(n);
  r_ = x_.tail(n);
  basis_->multipliers(r_, lambda);
  return true;
}

}  // namespace maggi
