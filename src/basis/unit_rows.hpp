#pragma once
#include <algorithm>

#include "maggi/expert/linear.hpp"

namespace maggi {

/// The rows of C scaled to unit length, in memory allocated once:  A = S C. A zero row is never scaled.
class UnitRows {
 public:
  UnitRows(int n, int max_rows) : A_(max_rows, n), scale_(max_rows) {}

  const Matrix& operator()(const Matrix& C) {
    if (A_.rows() != C.rows()) A_.resize(C.rows(), C.cols());  // only when the set of rows changes
    for (Eigen::Index i = 0; i < C.rows(); ++i) {
      const double norm = C.row(i).norm();
      scale_[i] = norm > 0.0 ? 1.0 / norm : 1.0;
      A_.row(i) = scale_[i] * C.row(i);
    }
    return A_;
  }
  const Matrix& A() const { return A_; }
  double scale(Eigen::Index i) const { return scale_[i]; }
  auto scales() const { return scale_.head(A_.rows()); }

 private:
  Matrix A_;
  Vector scale_;
};

}  // namespace maggi
