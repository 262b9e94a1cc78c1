#include "formulation/augmented.hpp"

#include <Eigen/LU>
#include <cmath>

namespace maggi {

Augmented::Augmented(int n, int max_rows) : K_(n + max_rows, n + max_rows), x_(n + max_rows), schur_(max_rows) {}

bool Augmented::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  return solve_without_pivoting(equations, vdot, lambda) || solve_with_pivoting(equations, vdot, lambda);
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

bool Augmented::solve_with_pivoting(const Equations& equations, Vector& vdot, Vector& lambda) {
  const int n = equations.n(), m = equations.m(), N = n + m;
  Matrix K = Matrix::Zero(N, N);
  K.topLeftCorner(n, n) = equations.M;
  K.bottomLeftCorner(m, n) = equations.C;
  K.topRightCorner(n, m) = equations.C.transpose();
  Vector b(N);
  b << equations.h, equations.gamma;
  if (!K.allFinite() || !b.allFinite()) return false;
  // unit diagonal of M, unit rows of C: pivots can be compared
  Vector s(N);
  for (int i = 0; i < n; ++i) {
    const double size = std::sqrt(K.row(i).head(n).cwiseAbs().maxCoeff());
    s[i] = size > 0.0 ? 1.0 / size : 1.0;
  }
  for (int i = n; i < N; ++i) {
    const double size = K.row(i).head(n).cwiseProduct(s.head(n).transpose()).norm();
    s[i] = size > 0.0 ? 1.0 / size : 1.0;
  }
  K = s.asDiagonal() * K * s.asDiagonal();
  const Eigen::FullPivLU<Matrix> lu(K);
  if (!lu.isInvertible()) return false;
  const Vector x = s.asDiagonal() * lu.solve(s.asDiagonal() * b);
  vdot = x.head(n);
  lambda = -x.tail(m);
  return true;
}

}  // namespace maggi
