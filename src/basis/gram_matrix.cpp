#include "basis/gram_matrix.hpp"

#include <limits>

#include "base/largest.hpp"

namespace maggi {

GramMatrixBasis::GramMatrixBasis(int n, int max_rows)
    : Basis(n), rows_(n, max_rows), H_(n, n), V_(Matrix::Identity(n, n)), values_(Vector::Zero(n)) {}

bool GramMatrixBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  const Eigen::Index n = C.cols();
  const Matrix& A = rows_(C);
  H_.noalias() = A.transpose() * A;
  decompose(H_, V_, values_);
  const double most = largest(values_);
  if (!std::isfinite(most)) {
    why_ = "the constraints are not finite";
    return false;
  }
  // rounding leaves zero eigenvalues at n ε of the largest
  smallest_ = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * most;
  Eigen::Index k = 0;
  for (Eigen::Index j = 0; j < n; ++j)
    if (values_[j] <= smallest_) D_.col(k++) = V_.col(j);
  rank_ = static_cast<int>(n - k);
  // an eigenvalue below 1e-13 is a singular value below 3e-7: its vector carries too few digits
  const double least_kept = 1e-13 * most;
  for (Eigen::Index j = 0; j < n; ++j)
    if (values_[j] > smallest_ && values_[j] < least_kept) {
      why_ = "the constraints are nearly dependent, and CᵀC squares their condition";
      return false;
    }
  return true;
}

void GramMatrixBasis::apply_pseudo_inverse(Vector& x) const {
  Vector y = V_.transpose() * x;
  for (Eigen::Index j = 0; j < y.size(); ++j) y[j] = values_[j] > smallest_ ? y[j] / values_[j] : 0.0;
  x.noalias() = V_ * y;
}

void GramMatrixBasis::particular(const Vector& gamma, Vector& d0) const {
  d0.noalias() = rows_.A().transpose() * rows_.scales().cwiseProduct(gamma);
  apply_pseudo_inverse(d0);
}

void GramMatrixBasis::multipliers(const Vector& r, Vector& lambda) const {
  Vector x = r;
  apply_pseudo_inverse(x);
  lambda.noalias() = rows_.A() * x;
  lambda = rows_.scales().cwiseProduct(lambda);
}

}  // namespace maggi
