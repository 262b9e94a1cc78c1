#include "analysis/extended_solution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace maggi {

namespace {

using Long = long double;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

/// A Π = Q R with a square Q, by Householder reflections with column pivoting in plain loops: Eigen's decompositions
/// of this type would be compiled for this file alone, for seconds.
class LongQr {
 public:
  explicit LongQr(const LongMatrix& A) : Q(LongMatrix::Identity(A.rows(), A.rows())), R_(A), order_(A.cols()) {
    std::iota(order_.begin(), order_.end(), 0);
    for (int k = 0; k < std::min(R_.rows(), R_.cols()); ++k) {
      swap_largest_to(k);
      reflect(k);
    }
  }

  LongMatrix Q;

  /// The solution of A x = b, of least residual; combinations of columns that vanish against the others are left out.
  LongVector solve(const LongVector& b) const {
    LongVector y = Q.transpose() * b, x = LongVector::Zero(R_.cols());
    for (int k = rank() - 1; k >= 0; --k) {
      Long sum = y[k];
      for (int j = k + 1; j < R_.cols(); ++j) sum -= R_(k, j) * x[order_[j]];
      x[order_[k]] = sum / R_(k, k);
    }
    return x;
  }

  /// Rᵀ y = Πᵀ b, for columns that are independent.
  LongVector solve_Rt(const LongVector& b) const {
    LongVector y(R_.cols());
    for (int k = 0; k < R_.cols(); ++k) {
      Long sum = b[order_[k]];
      for (int j = 0; j < k; ++j) sum -= R_(j, k) * y[j];
      y[k] = sum / R_(k, k);
    }
    return y;
  }

 private:
  LongMatrix R_;
  std::vector<int> order_;

  int rank() const {
    const int most = static_cast<int>(std::min(R_.rows(), R_.cols()));
    int r = 0;
    while (r < most && std::abs(R_(r, r)) > 1e-17L * most * std::abs(R_(0, 0))) ++r;  // rounding of R: 1e-19
    return r;
  }

  Long squared_length(int column, int from) const {
    Long sum = 0;
    for (int i = from; i < R_.rows(); ++i) sum += R_(i, column) * R_(i, column);
    return sum;
  }

  void swap_largest_to(int k) {
    int best = k;
    for (int j = k + 1; j < R_.cols(); ++j)
      if (squared_length(j, k) > squared_length(best, k)) best = j;
    if (best == k) return;
    for (int i = 0; i < R_.rows(); ++i) std::swap(R_(i, k), R_(i, best));
    std::swap(order_[k], order_[best]);
  }

  /// R ← H R, Q ← Q H with H = I − 2 w wᵀ / wᵀw, so that column k of R ends at the diagonal.
  void reflect(int k) {
    const Long length = std::sqrt(squared_length(k, k));
    if (length == 0) return;
    LongVector w = LongVector::Zero(R_.rows());
    for (int i = k; i < R_.rows(); ++i) w[i] = R_(i, k);
    w[k] += std::copysign(length, R_(k, k));
    const Long factor = 1 / (length * std::abs(w[k]));  // 2 / wᵀw
    for (int j = k; j < R_.cols(); ++j) {
      Long along = 0;
      for (int i = k; i < R_.rows(); ++i) along += w[i] * R_(i, j);
      for (int i = k; i < R_.rows(); ++i) R_(i, j) -= factor * along * w[i];
    }
    for (int i = 0; i < Q.rows(); ++i) {
      Long along = 0;
      for (int j = k; j < Q.rows(); ++j) along += Q(i, j) * w[j];
      for (int j = k; j < Q.rows(); ++j) Q(i, j) -= factor * along * w[j];
    }
  }
};

}  // namespace

void solve_extended(const Equations& equations, const Matrix& all, Vector& vdot, Vector& lambda) {
  const LongMatrix M = equations.M.cast<Long>();
  const LongVector h = equations.h.cast<Long>();
  const int n = equations.n(), r = equations.m();

  const LongQr rows(equations.C.transpose().cast<Long>());
  const LongMatrix Y = rows.Q.leftCols(r), Z = rows.Q.rightCols(n - r);
  LongVector a = Y * rows.solve_Rt(equations.gamma.cast<Long>());  // (1)
  if (r < n) a += Z * LongQr(Z.transpose() * M * Z).solve(Z.transpose() * (h - M * a));
  vdot = a.cast<double>();

  const LongQr distribution(all.cast<Long>() * Y);  // (2)
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
  return LongQr(K).solve(right).tail(m).cast<double>();
}

}  // namespace maggi
