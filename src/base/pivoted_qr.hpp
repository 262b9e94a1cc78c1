#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi {

/// Householder QR with column pivoting in memory allocated once:  A Π = Q R,  |R_11| ≥ |R_22| ≥ ...
class PivotedQr {
 public:
  PivotedQr(int rows, int max_cols);

  void compute(const Matrix& A);  ///< rows × cols, cols ≤ max_cols

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int steps() const { return rows_ < cols_ ? rows_ : cols_; }
  double R(int i, int j) const { return QR_(i, j); }
  const std::vector<int>& order() const { return order_; }  ///< column order[k] of A stands at place k
  int rank(double tolerance) const;                         ///< #{ |R_ii| > tolerance |R_11| }

  void apply_Q(Vector& x) const;                 ///< x ← Q x
  void apply_Qt(Vector& x) const;                ///< x ← Qᵀ x
  void basis(int first, Matrix& columns) const;  ///< columns ← Q(:, first...)
  void solve_R(int r, Vector& x) const;          ///< x(0..r) ← R(0..r, 0..r)⁻¹ x
  void solve_Rt(int r, Vector& x) const;         ///< x(0..r) ← R(0..r, 0..r)⁻ᵀ x

 private:
  int rows_, cols_ = 0;
  Matrix QR_;    // R above, Householder vectors below the diagonal (first component 1 implied)
  Vector beta_;  // reflector k: I − β v vᵀ
  Vector norms_;
  std::vector<int> order_;
};

}  // namespace maggi
