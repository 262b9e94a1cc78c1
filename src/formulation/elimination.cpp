#include "formulation/elimination.hpp"

#include "base/cholesky.hpp"

namespace maggi {

Elimination::Elimination(int n, int max_rows) : L_(n, n), H_(n, max_rows), S_(max_rows, max_rows) {}

bool Elimination::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  const Eigen::Index m = C.rows();
  if (!C.allFinite()) return refuse(not_finite);
  L_ = M;
  if (!cholesky(L_)) return refuse(singular_mass);
  if (H_.cols() != m) H_.resize(C.cols(), m), S_.resize(m, m);
  H_ = C.transpose();
  for (Eigen::Index i = 0; i < m; ++i) solve_lower(L_, H_.col(i));
  S_.noalias() = H_.transpose().lazyProduct(H_);  // C M⁻¹ Cᵀ
  vdot = h;
  solve_lower(L_, vdot);
  lambda = gamma;
  lambda.noalias() -= H_.transpose().lazyProduct(vdot);  // γ − C M⁻¹h
  // S squares the condition of C: beyond 1e6 of C too few digits are left
  scale_ = S_.diagonal().cwiseSqrt();
  if (!(scale_.array() > 0.0).all()) return refuse(dependent_rows);
  S_ = scale_.cwiseInverse().asDiagonal() * S_ * scale_.cwiseInverse().asDiagonal();
  factor_.compute(S_);
  if (m > 0 && (factor_.info() != Eigen::Success || !(factor_.rcond() > 1e-13)))
    return refuse("the constraints are nearly dependent, and C M⁻¹ Cᵀ squares their condition");
  lambda = lambda.cwiseQuotient(scale_);
  if (m > 0) factor_.solveInPlace(lambda);
  lambda = lambda.cwiseQuotient(scale_);
  vdot.noalias() += H_.lazyProduct(lambda);
  solve_lower_transposed(L_, vdot);
  return true;
}

}  // namespace maggi
