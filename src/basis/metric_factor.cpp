#include "basis/metric_factor.hpp"

#include <cmath>

#include "base/cholesky.hpp"
#include "base/decompositions.hpp"
#include "base/largest.hpp"

namespace maggi {

namespace {
/// The motion of least inertia among those that C admits.
Vector least_inertia(const Matrix& M, const Matrix& C) {
  Matrix D = Matrix::Identity(M.rows(), M.rows());
  if (C.rows() > 0) {
    const Eigen::ColPivHouseholderQR<Matrix> qr(C.transpose());
    D = Matrix(qr.householderQ()).rightCols(M.rows() - qr.rank());
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(D.transpose() * M * D);
  return D * eigen.eigenvectors().col(0);
}
}  // namespace

MetricFactor::MetricFactor(int n, int max_rows, double tolerance)
    : tolerance_(tolerance), L_(n, n), A_(n, max_rows), scale_(max_rows), work_(n), qr_(n, max_rows) {
  order_.reserve(max_rows);
}

std::span<const int> MetricFactor::dependent() const {
  return {order_.data() + rank_, static_cast<std::size_t>(m_ - rank_)};
}

namespace {

/// A += factor cᵀc, where most entries of the row c of a large mechanism are zero.
void add_square(double factor, const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& c, Matrix& A) {
  for (Eigen::Index k = 0; k < c.size(); ++k) {
    if (c[k] == 0.0) continue;
    for (Eigen::Index j = 0; j < c.size(); ++j)
      if (c[j] != 0.0) A(j, k) += factor * c[j] * c[k];
  }
}

}  // namespace

bool MetricFactor::factor_metric(const Matrix& M, const Matrix& C) {
  L_ = M;
  regular_ = cholesky(L_);
  if (regular_) return true;
  // M + σ ĈᵀĈ is positive definite for a σ large enough if M is so on null(C) (Finsler)
  const double size = std::max(largest(M.diagonal()), 1e-300);
  for (const double sigma : {size, 1e3 * size, 1e6 * size}) {
    L_ = M;
    for (Eigen::Index i = 0; i < C.rows(); ++i)
      if (const double norm = C.row(i).norm(); norm > zero_row) add_square(sigma / (norm * norm), C.row(i), L_);
    if (cholesky(L_)) return true;
  }
  return false;
}

bool MetricFactor::compute(const Matrix& M, const Matrix& C, double tolerance) {
  m_ = static_cast<int>(C.rows());
  if (A_.cols() != m_) A_.resize(A_.rows(), m_);  // only when the set of rows changes
  if (!factor_metric(M, C)) {
    weightless_ = least_inertia(M, C);
    return false;
  }
  decide(C, tolerance);
  if (rank_ < qr_.steps() && hidden_by_masses(C, tolerance)) {
    constexpr double least_mass = 1e-12;  // of the largest: sines between rows stay above 1e-6 of what they are
    L_ = M;
    L_.diagonal().array() += least_mass * largest(M.diagonal());
    if (!cholesky(L_)) return false;
    decide(C, tolerance);
  }
  return true;
}

void MetricFactor::decide(const Matrix& C, double tolerance) {
  for (int i = 0; i < m_; ++i) {
    auto a = A_.col(i);
    a = C.row(i).transpose();
    const bool zero = a.norm() <= zero_row;
    if (zero) a.setZero();
    solve_lower(L_, a);
    scale_[i] = zero ? 1.0 : 1.0 / a.norm();
    a *= scale_[i];
  }
  qr_.compute(A_);
  rank_ = qr_.rank(tolerance);
  order_ = qr_.order();
  const double first = qr_.steps() > 0 ? std::abs(qr_.R(0, 0)) : 1.0;
  distance_ = rank_ > 0 ? std::abs(qr_.R(rank_ - 1, rank_ - 1)) / first : 1.0;
  rejected_ = rank_ < qr_.steps() && first > 0.0 ? std::abs(qr_.R(rank_, rank_)) / first : 0.0;
}

/// Is the rank larger in the coordinates themselves? The metric changes sines by at most the quotient of its lengths,
/// so that only masses of very different sizes can hide it.
bool MetricFactor::hidden_by_masses(const Matrix& C, double tolerance) {
  constexpr double rounding = 1e-14;
  const auto lengths = L_.diagonal();
  if (rounding * largest(lengths) * largest(lengths.array().inverse()) < tolerance) return false;
  if (!plain_) plain_ = std::make_unique<PivotedQr>(static_cast<int>(L_.rows()), max_rows());
  for (int i = 0; i < m_; ++i) {
    const double norm = C.row(i).norm();
    A_.col(i) = norm > zero_row ? Vector(C.row(i).transpose() / norm) : Vector::Zero(C.cols());
  }
  plain_->compute(A_);
  return plain_->rank(tolerance) > rank_;
}

void MetricFactor::least_change(const Vector& b, Vector& delta) {
  // y = Lᵀδ = Q₁ R₁₁⁻ᵀ (S b), with the independent rows only
  work_.setZero();
  for (int k = 0; k < rank_; ++k) work_[k] = scale_[order_[k]] * b[order_[k]];
  qr_.solve_Rt(rank_, work_);
  qr_.apply_Q(work_);
  solve_lower_transposed(L_, work_);
  delta = work_;
}

void MetricFactor::enter_metric(VectorRef x) const { solve_lower(L_, x); }

void MetricFactor::take_off_rows(VectorRef x) {
  work_ = x;
  qr_.apply_Qt(work_);
  work_.head(rank_).setZero();
  qr_.apply_Q(work_);
  x = work_;
}

Matrix MetricFactor::combinations() const {
  // scaled rows: a_R = A_I R₁₁⁻¹ R₁₂;  undo the scaling on both sides
  Matrix result(m_ - rank_, rank_);
  Vector x(std::max(m_, rank_));
  for (int i = 0; i < m_ - rank_; ++i) {
    for (int k = 0; k < rank_; ++k) x[k] = qr_.R(k, rank_ + i);
    qr_.solve_R(rank_, x);
    for (int k = 0; k < rank_; ++k) result(i, k) = x[k] * scale_[order_[k]] / scale_[order_[rank_ + i]];
  }
  return result;
}

}  // namespace maggi
