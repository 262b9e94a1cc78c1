#include "base/pivoted_qr.hpp"

#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace maggi {

namespace {
constexpr double equal = 1e-10;  // squared lengths this close differ by rounding, which must not choose
}

PivotedQr::PivotedQr(int rows, int max_cols) : rows_(rows), QR_(rows, max_cols), beta_(max_cols), norms_(max_cols) {
  order_.reserve(max_cols);
}

void PivotedQr::compute(const Matrix& A) {
  assert(A.rows() == rows_ && A.cols() <= QR_.cols());
  cols_ = static_cast<int>(A.cols());
  QR_.leftCols(cols_) = A;
  order_.resize(cols_);
  std::iota(order_.begin(), order_.end(), 0);
  for (int j = 0; j < cols_; ++j) norms_[j] = QR_.col(j).squaredNorm();

  for (int k = 0; k < steps(); ++k) {
    int best = k;
    for (int j = k + 1; j < cols_; ++j)
      if (norms_[j] > (1.0 + equal) * norms_[best]) best = j;
    if (best != k) {
      QR_.col(k).swap(QR_.col(best));
      std::swap(norms_[k], norms_[best]);
      std::swap(order_[k], order_[best]);
    }
    auto x = QR_.col(k).tail(rows_ - k);
    const double norm = x.norm();
    if (norm == 0.0 || rows_ - k == 1) {  // nothing below the diagonal
      beta_[k] = 0.0;
    } else {
      // H = I − β v vᵀ with v₁ = 1 maps x to −sign(x₁) ‖x‖ e₁
      const double alpha = x[0] > 0.0 ? -norm : norm;
      const double v1 = x[0] - alpha;
      beta_[k] = -v1 / alpha;
      x.tail(rows_ - k - 1) /= v1;
      x[0] = alpha;
      const auto v = QR_.col(k).tail(rows_ - k - 1);
      for (int j = k + 1; j < cols_; ++j) {
        auto y = QR_.col(j).tail(rows_ - k - 1);
        const double projection = beta_[k] * (QR_(k, j) + v.dot(y));
        QR_(k, j) -= projection;
        y -= projection * v;
      }
    }
    // norms of what is left, again: downdating loses digits just where the rank is decided
    for (int j = k + 1; j < cols_; ++j) norms_[j] = QR_.col(j).tail(rows_ - k - 1).squaredNorm();
  }
}

int PivotedQr::rank(double tolerance) const {
  int r = 0;
  while (r < steps() && std::abs(QR_(r, r)) > tolerance * std::abs(QR_(0, 0))) ++r;
  return r;
}

void PivotedQr::apply_Qt(Vector& x) const {
  for (int k = 0; k < steps(); ++k) {
    const int below = rows_ - k - 1;
    const double projection = beta_[k] * (x[k] + QR_.col(k).tail(below).dot(x.tail(below)));
    x[k] -= projection;
    x.tail(below) -= projection * QR_.col(k).tail(below);
  }
}

void PivotedQr::apply_Q(Vector& x) const {
  for (int k = steps() - 1; k >= 0; --k) {
    const int below = rows_ - k - 1;
    const double projection = beta_[k] * (x[k] + QR_.col(k).tail(below).dot(x.tail(below)));
    x[k] -= projection;
    x.tail(below) -= projection * QR_.col(k).tail(below);
  }
}

void PivotedQr::basis(int first, Matrix& columns) const {
  const int count = rows_ - first;
  for (int c = 0; c < count; ++c) {
    auto x = columns.col(c);
    x.setZero();
    x[first + c] = 1.0;
    for (int k = steps() - 1; k >= 0; --k) {
      const int below = rows_ - k - 1;
      const double projection = beta_[k] * (x[k] + QR_.col(k).tail(below).dot(x.tail(below)));
      x[k] -= projection;
      x.tail(below) -= projection * QR_.col(k).tail(below);
    }
  }
}

void PivotedQr::solve_R(int r, Vector& x) const {
  for (int i = r - 1; i >= 0; --i) {
    for (int j = i + 1; j < r; ++j) x[i] -= QR_(i, j) * x[j];
    x[i] /= QR_(i, i);
  }
}

void PivotedQr::solve_Rt(int r, Vector& x) const {
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < i; ++j) x[i] -= QR_(j, i) * x[j];
    x[i] /= QR_(i, i);
  }
}

}  // namespace maggi
