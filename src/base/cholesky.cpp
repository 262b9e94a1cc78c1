#include "base/cholesky.hpp"

#include <cmath>

namespace maggi {

namespace {

/// Pivots alone may hide that A is singular: they come out as ε/u² if the null vector has a small last component u.
///
///     Â = S A S, S = diag(1/√A_ii);   S L y = b  ⇒  ‖y‖² = bᵀÂ⁻¹b ≤ n/λ_min(Â)  for b_i = ±1
///
/// The signs are chosen such that y grows. y is kept above the diagonal of the last column.
bool smallest_eigenvalue_exceeds(Eigen::Ref<Matrix> L, double tolerance) {
  const Eigen::Index n = L.rows();
  double size = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double sum = L.row(i).head(i).dot(L.col(n - 1).head(i));
    const double y = (L.row(i).head(i + 1).norm() + std::abs(sum)) / L(i, i);
    size += y * y;
    if (i < n - 1) L(i, n - 1) = sum > 0.0 ? -y : y;
  }
  return tolerance * size <= static_cast<double>(n);
}

}  // namespace

bool cholesky(Eigen::Ref<Matrix> A, double tolerance) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    // left-looking: column k minus the contribution of the columns before it
    const double diagonal = A(k, k);
    for (Eigen::Index j = 0; j < k; ++j)
      if (A(k, j) != 0.0) A.col(k).tail(n - k) -= A(k, j) * A.col(j).tail(n - k);
    const double pivot = A(k, k);
    if (!(pivot > tolerance * std::abs(diagonal))) return false;  // also catches NaN
    A.col(k).tail(n - k) /= std::sqrt(pivot);
  }
  return smallest_eigenvalue_exceeds(A, tolerance);
}

void solve_lower(const Eigen::Ref<const Matrix>& L, VectorRef x) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    x[j] /= L(j, j);
    if (x[j] != 0.0) x.tail(n - j - 1) -= x[j] * L.col(j).tail(n - j - 1);
  }
}

void solve_lower_transposed(const Eigen::Ref<const Matrix>& L, VectorRef x) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index j = n - 1; j >= 0; --j) x[j] = (x[j] - L.col(j).tail(n - j - 1).dot(x.tail(n - j - 1))) / L(j, j);
}

}  // namespace maggi
