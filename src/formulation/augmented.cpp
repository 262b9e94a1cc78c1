#include "formulation/augmented.hpp"
#include "maggi/expert/bases.hpp"

namespace maggi {

Augmented::Augmented(int n, int max_rows)
    : K_(n + max_rows, n + max_rows),
      x_(n + max_rows),
      schur_(max_rows),
      null_space_(n, make_basis("qr", n, max_rows)),
      lu_(n + max_rows) {}

bool Augmented::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  if (!equations.ideal()) return solve_nonideal(equations, vdot, lambda);
  if (solve_without_pivoting(equations, vdot, lambda) || null_space_.solve(equations, vdot, lambda)) return true;
  return refuse(null_space_.why());
}

bool Augmented::solve_nonideal(const Equations& equations, Vector& vdot, Vector& lambda) {
  const int n = equations.n(), m = equations.m();
  K_.resize(n + m, n + m);
  x_.resize(n + m);
  K_ << equations.M, -equations.G, equations.C, Matrix::Zero(m, m);
  x_ << equations.h, equations.gamma;
  if (!K_.allFinite()) return refuse(not_finite);
  if (!lu_.compute(K_)) return refuse(no_grip);
  lu_.solve(x_);
  vdot = x_.head(n);
  lambda = x_.tail(m);
  return true;
}

bool Augmented::solve_without_pivoting(const Equations& equations, Vector& vdot, Vector& lambda) {
  const int n = equations.n(), m = equations.m(), N = n + m;
  const Eigen::Index stride = K_.outerStride();
  double* K = K_.data();
  for (int j = 0; j < n; ++j) {
    double* column = K + j * stride;
    for (int i = j; i < n; ++i) column[i] = equations.M(i, j);
    for (int i = 0; i < m; ++i) column[n + i] = equations.C(i, j);
  }
  for (int j = n; j < N; ++j)
    for (int i = j; i < N; ++i) K[j * stride + i] = 0.0;
  double* x = x_.data();
  for (int i = 0; i < n; ++i) x[i] = equations.h[i];
  for (int i = 0; i < m; ++i) x[n + i] = equations.gamma[i];

  for (int k = 0; k < N; ++k) {
    double* column = K + k * stride;
    if (k == n)
      for (int i = 0; i < m; ++i) schur_[i] = -K[(n + i) * (stride + 1)];
    const double pivot = column[k];
    const double reference = k < n ? alarm * alarm * equations.M(k, k) : alarm * schur_[k - n];
    if (!((k < n ? pivot : -pivot) > reference && reference >= 0.0)) return false;
    const double inverse = 1.0 / pivot;
    const double xk = x[k];
    for (int j = k + 1; j < N; ++j) {
      const double l = column[j] * inverse;
      if (l == 0.0) continue;  // the pattern of M and C is sparse
      double* target = K + j * stride;
      for (int i = j; i < N; ++i) target[i] -= l * column[i];
      x[j] -= l * xk;
    }
    x[k] = xk * inverse;
  }
  for (int k = N - 2; k >= 0; --k) {
    const double* column = K + k * stride;
    double sum = 0.0;
    for (int i = k + 1; i < N; ++i) sum += column[i] * x[i];
    x[k] -= sum / column[k];
  }
  vdot = x_.head(n);
  lambda = -x_.segment(n, m);
  return true;
}

}  // namespace maggi
