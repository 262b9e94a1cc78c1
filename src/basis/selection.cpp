#include "basis/selection.hpp"

#include <algorithm>
#include <cmath>

#include "maggi/base/cholesky.hpp"
#include "maggi/base/pivoted_qr.hpp"
#include "maggi/basis/metric_factor.hpp"

namespace maggi {

RowChoice choose_rows(const Matrix& C) {
  const auto n = static_cast<int>(C.cols()), m = static_cast<int>(C.rows());
  Matrix rows = C.transpose();
  for (int i = 0; i < m; ++i)
    if (const double norm = rows.col(i).norm(); norm > 0.0) rows.col(i) /= norm;
  PivotedQr qr(n, m);
  qr.compute(rows);
  const int rank = qr.rank(MetricFactor::default_tolerance);
  RowChoice choice{{qr.order().begin(), qr.order().begin() + rank}, {qr.order().begin() + rank, qr.order().end()}};
  std::sort(choice.independent.begin(), choice.independent.end());
  std::sort(choice.dependent.begin(), choice.dependent.end());
  return choice;
}

std::vector<int> choose_supplement(const Matrix& M, const Matrix& C) {
  const auto n = static_cast<int>(C.cols());
  Matrix L = M;
  if (!cholesky(L)) L.setIdentity();
  // mass-orthonormal D = L⁻ᵀ Q₂ with L⁻¹ Cᵀ = Q R; row i of D over the length of the covector e_i, √(M⁻¹)_ii
  Matrix rows = C.transpose();
  for (Eigen::Index i = 0; i < rows.cols(); ++i) solve_lower(L, rows.col(i));
  PivotedQr qr(n, static_cast<int>(rows.cols()));
  qr.compute(rows);
  const int rank = qr.rank(MetricFactor::default_tolerance);
  Matrix D(n, n - rank), inverse = Matrix::Identity(n, n);
  qr.basis(rank, D);
  for (int j = 0; j < D.cols(); ++j) solve_lower_transposed(L, D.col(j));
  for (int j = 0; j < n; ++j) solve_lower(L, inverse.col(j));  // columns of L⁻¹: (M⁻¹)_jj = ‖column j‖²
  for (int i = 0; i < n; ++i) D.row(i) /= inverse.col(i).norm();
  PivotedQr greedy(static_cast<int>(D.cols()), n);
  greedy.compute(D.transpose());
  return {greedy.order().begin(), greedy.order().begin() + (n - rank)};
}

}  // namespace maggi
