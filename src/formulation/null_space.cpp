#include "formulation/null_space.hpp"

#include "base/cholesky.hpp"

namespace maggi {

NullSpace::NullSpace(int n, int max_rows) : partition_(n, max_rows) {}

bool NullSpace::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  if (!C.allFinite()) return refuse(not_finite);
  if (!partition_.compute(equations) || partition_.rank() < C.rows()) return refuse(dependent_rows);
  const auto &d = partition_.dependent_coordinates(), &i = partition_.independent_coordinates();
  const Matrix& X = partition_.X();
  const Matrix Mdd = M(d, d), Mdi = M(d, i);
  const Vector y = partition_.solve(gamma);

  const Matrix M12 = Mdi - Mdd * X;
  Matrix M22 = M(i, i) - Mdi.transpose() * X - X.transpose() * M12;  // DᵀMD
  const Vector z1 = h(d) - Mdd * y;
  Vector p = h(i) - Mdi.transpose() * y - X.transpose() * z1;
  if (!cholesky(M22)) return refuse(weightless);
  solve_lower(M22, p);
  solve_lower_transposed(M22, p);
  vdot(d) = y - X * p;
  vdot(i) = p;
  lambda = partition_.solve_transposed(M12 * p - z1);
  return true;
}

}  // namespace maggi
