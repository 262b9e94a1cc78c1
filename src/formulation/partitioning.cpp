#include "formulation/partitioning.hpp"

#include "base/cholesky.hpp"

namespace maggi {

Partitioning::Partitioning(int n, int max_rows) : partition_(n, max_rows) {}

bool Partitioning::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  if (!C.allFinite()) return refuse(not_finite);
  if (!partition_.compute(equations) || partition_.rank() < C.rows()) return refuse(dependent_rows);
  const auto &d = partition_.dependent_coordinates(), &i = partition_.independent_coordinates();
  const Matrix& X = partition_.X();
  const Vector y = partition_.solve(gamma), hd = h(d);
  const Matrix Mdd = M(d, d), Mdi = M(d, i);  // copies: products of indexed views are slow

  Matrix mass = M(i, i) - Mdi.transpose() * X - X.transpose() * (Mdi - Mdd * X);
  Vector independent = h(i) - Mdi.transpose() * y - X.transpose() * (hd - Mdd * y);
  if (!cholesky(mass)) return refuse(weightless);
  solve_lower(mass, independent);
  solve_lower_transposed(mass, independent);
  const Vector dependent = y - X * independent;
  vdot(i) = independent;
  vdot(d) = dependent;
  lambda = partition_.solve_transposed(Mdd * dependent + Mdi * independent - hd);
  return true;
}

}  // namespace maggi
