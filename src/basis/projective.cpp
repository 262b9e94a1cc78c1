#include "basis/projective.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/pivoted_qr.hpp"
#include "basis/metric_factor.hpp"

namespace maggi {

namespace {

/// The directions of the unit covectors in the metric: column i is L⁻¹e_i, M = L Lᵀ, over its length √(M⁻¹)_ii; its
/// part in the span of the rows, and that in the tangent space.
struct Directions {
  Matrix constrained, tangent;
  int rank = 0;

  Directions(const Matrix& M, const Matrix& C) : constrained(M.rows(), M.rows()), tangent(M.rows(), M.rows()) {
    const auto n = static_cast<int>(M.rows());
    MetricFactor factor(n, static_cast<int>(C.rows()));
    [[maybe_unused]] const bool positive_definite = factor.compute(M, C);
    assert(positive_definite);
    rank = factor.rank();
    Vector x(n);
    for (int i = 0; i < n; ++i) {
      x.setZero();
      x[i] = 1.0;
      factor.enter_metric(x);
      x.normalize();
      constrained.col(i) = x;
      factor.take_off_rows(x);
      tangent.col(i) = x;
    }
    constrained -= tangent;
  }
};

/// The columns that stand out most from those chosen before them.
std::vector<int> pivots(const Matrix& A, Eigen::Index count) {
  PivotedQr qr(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  qr.compute(A);
  return {qr.order().begin(), qr.order().begin() + count};
}

}  // namespace

Vector cosines_squared(const Matrix& M, const Matrix& C) {
  return Directions(M, C).constrained.colwise().squaredNorm().transpose();
}

Vector cosines_squared(const Matrix& W, Eigen::Index rank) {
  return W.leftCols(rank).rowwise().squaredNorm().cwiseQuotient(W.rowwise().squaredNorm());
}

std::vector<int> free_coordinates(const Matrix& M, const Matrix& C) {
  const Directions directions(M, C);
  return pivots(directions.tangent, M.rows() - directions.rank);
}

std::vector<int> smallest_cosines(const Matrix& M, const Matrix& C) {
  const Directions directions(M, C);
  const Vector cos2 = directions.constrained.colwise().squaredNorm().transpose();
  std::vector<int> order(M.rows());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cos2[a] < cos2[b]; });
  order.resize(M.rows() - directions.rank);
  return order;
}

std::vector<int> equations_for_multipliers(const Matrix& M, const Matrix& C) {
  const Directions directions(M, C);
  return pivots(directions.constrained, directions.rank);
}

}  // namespace maggi
