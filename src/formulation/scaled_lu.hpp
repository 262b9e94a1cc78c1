#pragma once

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "maggi/expert/linear.hpp"

namespace maggi {

/// K x = b for a general square matrix. Rows and columns are scaled to largest entries of one, so that units have no
/// say in what counts as singular; then LU with full pivoting.
class ScaledLu {
 public:
  explicit ScaledLu(int size) : row_(size), col_(size), y_(size), z_(size), lu_(size, size) {}

  /// Scales K in place. false if it is singular: the smallest pivot is below `alarm` times the largest.
  bool compute(Matrix& K) {
    const Eigen::Index size = K.rows();
    row_.setOnes(size);
    col_.setOnes(size);
    if (size == 0) return true;
    for (int pass = 0; pass < 4; ++pass) {
      for (Eigen::Index i = 0; i < size; ++i) scale(K.row(i), row_[i]);
      for (Eigen::Index j = 0; j < size; ++j) scale(K.col(j), col_[j]);
    }
    if (!K.allFinite()) return false;
    lu_.compute(K);
    const auto pivots = lu_.matrixLU().diagonal();
    return pivots.cwiseAbs().minCoeff() > alarm * largest(pivots);
  }

  void solve(Vector& x) {
    // by its parts: Eigen's own solve() asks for memory
    y_ = row_.cwiseProduct(x);
    z_.noalias() = lu_.permutationP() * y_;
    lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(z_);
    lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(z_);
    x.noalias() = lu_.permutationQ() * z_;
    x.array() *= col_.array();
  }

 private:
  static constexpr double alarm = 1e-12;  // four digits of the solution are left

  template <class Line>
  static void scale(Line line, double& factor) {
    const double size = line.cwiseAbs().maxCoeff();  // a NaN stays in K, which compute() then refuses
    if (!(size > 0.0)) return;
    const double by = 1.0 / std::sqrt(size);
    line *= by;
    factor *= by;
  }

  Vector row_, col_, y_, z_;
  Eigen::FullPivLU<Matrix> lu_;
};

}  // namespace maggi
