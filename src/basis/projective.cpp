#include "basis/projective.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/cholesky.hpp"
#include "base/pivoted_qr.hpp"
#include "basis/metric_factor.hpp"

namespace maggi {

namespace {

/// The directions of the unit covectors in the orthonormal frame Q of L⁻¹Cᵀ = Q R, M = L Lᵀ: column i has unit length,
/// its first `rank` entries are the part in the span of the rows, the others the part in the tangent space. Since
/// W = L⁻ᵀQ, it is also column i of Wᵀ, over its length √(M⁻¹)_ii.
struct Directions {
  Matrix columns;
  int rank = 0;

  Directions(const Matrix& M, const Matrix& C) {
    const auto n = static_cast<int>(M.rows()), m = static_cast<int>(C.rows());
    Matrix L = M;
    [[maybe_unused]] const bool positive_definite = cholesky(L);
    assert(positive_definite);
    Matrix rows = C.transpose();
    for (int i = 0; i < m; ++i) {
      solve_lower(L, rows.col(i));
      if (const double norm = rows.col(i).norm(); norm > 0.0) rows.col(i) /= norm;
    }
    PivotedQr qr(n, m);
    qr.compute(rows);
    rank = qr.rank(MetricFactor::default_tolerance);
    columns.resize(n, n);
    Vector x(n);
    for (int i = 0; i < n; ++i) {
      x.setZero();
      x[i] = 1.0;
      solve_lower(L, x);
      qr.apply_Qt(x);
      columns.col(i) = x.normalized();
    }
  }

  auto constrained() const { return columns.topRows(rank); }
  auto tangent() const { return columns.bottomRows(columns.rows() - rank); }
};

/// The columns that stand out most from those chosen before them, as many as there are rows.
std::vector<int> pivots(const Matrix& A) {
  PivotedQr qr(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  qr.compute(A);
  return {qr.order().begin(), qr.order().begin() + A.rows()};
}

}  // namespace

Vector cosines_squared(const Matrix& M, const Matrix& C) {
  return Directions(M, C).constrained().colwise().squaredNorm().transpose();
}

Vector cosines_squared(const Matrix& W, Eigen::Index rank) {
  return W.leftCols(rank).rowwise().squaredNorm().cwiseQuotient(W.rowwise().squaredNorm());
}

std::vector<int> free_coordinates(const Matrix& M, const Matrix& C) { return pivots(Directions(M, C).tangent()); }

std::vector<int> smallest_cosines(const Matrix& M, const Matrix& C) {
  const Directions directions(M, C);
  const Vector cos2 = directions.constrained().colwise().squaredNorm().transpose();
  std::vector<int> order(M.rows());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cos2[a] < cos2[b]; });
  order.resize(M.rows() - directions.rank);
  return order;
}

std::vector<int> equations_for_multipliers(const Matrix& M, const Matrix& C) {
  return pivots(Directions(M, C).constrained());
}

}  // namespace maggi
