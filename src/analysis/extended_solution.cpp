#include "analysis/extended_solution.hpp"

#include "base/decompositions.hpp"

namespace maggi {

namespace {

using Long = long double;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

/// A = Q R with a square Q.
struct Orthogonal {
  LongMatrix Q, R;  // n × n, r × r

  explicit Orthogonal(const LongMatrix& A) : Q(LongMatrix::Identity(A.rows(), A.rows())), R(A.cols(), A.cols()) {
    if (A.cols() == 0) return;
    const Eigen::HouseholderQR<LongMatrix> qr(A);
    Q = qr.householderQ() * Q;
    R = qr.matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>();
  }

  LongVector solve_Rt(const LongVector& b) const {
    if (b.size() == 0) return b;
    return R.transpose().triangularView<Eigen::Lower>().solve(b);
  }
};

}  // namespace

void solve_extended(const Equations& equations, const Matrix& all, Vector& vdot, Vector& lambda) {
  const LongMatrix M = equations.M.cast<Long>();
  const LongVector h = equations.h.cast<Long>();
  const int n = equations.n(), r = equations.m();

  const Orthogonal rows(equations.C.transpose().cast<Long>());
  const LongMatrix Y = rows.Q.leftCols(r), Z = rows.Q.rightCols(n - r);
  LongVector a = Y * rows.solve_Rt(equations.gamma.cast<Long>());  // (1)
  if (r < n) a += Z * LongMatrix(Z.transpose() * M * Z).ldlt().solve(LongVector(Z.transpose() * (h - M * a)));
  vdot = a.cast<double>();

  const Orthogonal distribution(all.cast<Long>() * Y);  // (2)
  lambda = (distribution.Q.leftCols(r) * distribution.solve_Rt(Y.transpose() * (M * a - h))).cast<double>();
}

Vector extended_multipliers(const Equations& equations) {
  const int n = equations.n(), m = equations.m();
  LongMatrix K = LongMatrix::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = equations.M.cast<Long>();
  K.topRightCorner(n, m) = -equations.G.cast<Long>();
  K.bottomLeftCorner(m, n) = equations.C.cast<Long>();
  LongVector right(n + m);
  right << equations.h.cast<Long>(), equations.gamma.cast<Long>();
  return K.fullPivLu().solve(right).tail(m).cast<double>();
}

}  // namespace maggi
