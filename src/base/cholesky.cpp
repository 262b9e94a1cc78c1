#include "maggi/base/cholesky.hpp"

#include <cmath>

namespace maggi {

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
  return true;
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
