#include "basis/qr.hpp"

#include <algorithm>

#include "basis/metric_factor.hpp"

namespace maggi {

QrBasis::QrBasis(int n, int max_rows) : Basis(n), rows_(n, max_rows), scale_(max_rows), work_(n), qr_(n, max_rows) {}

bool QrBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  const Eigen::Index n = C.cols(), m = C.rows();
  if (rows_.cols() != m) rows_.resize(n, m);  // only when the set of rows changes
  for (Eigen::Index i = 0; i < m; ++i) {
    const double norm = C.row(i).norm();
    scale_[i] = norm > 0.0 ? 1.0 / norm : 1.0;
    rows_.col(i) = scale_[i] * C.row(i).transpose();
  }
  qr_.compute(rows_);
  rank_ = qr_.rank(MetricFactor::default_tolerance);
  qr_.basis(rank_, D_);
  return true;
}

void QrBasis::particular(const Vector& gamma, Vector& d0) const {
  d0.setZero();
  for (int k = 0; k < rank_; ++k) d0[k] = scale_[qr_.order()[k]] * gamma[qr_.order()[k]];
  qr_.solve_Rt(rank_, d0);
  qr_.apply_Q(d0);
}

void QrBasis::multipliers(const Vector& r, Vector& lambda) const {
  work_ = r;
  qr_.apply_Qt(work_);
  qr_.solve_R(rank_, work_);
  lambda.setZero();
  for (int k = 0; k < rank_; ++k) lambda[qr_.order()[k]] = scale_[qr_.order()[k]] * work_[k];
  if (rank_ < lambda.size()) remove_null_part(lambda);
}

void QrBasis::remove_null_part(Vector& lambda) const {
  // a dependent row is a combination of the independent ones, so each gives a λ without effect: Cᵀz = 0
  const int m = qr_.cols(), most = static_cast<int>(scale_.size());
  if (!null_) {
    null_.emplace(most, most);
    x_.resize(std::max(most, qr_.rows()));
    padded_.resize(most);
  }
  Z_.resize(most, m - rank_);
  Z_.setZero();
  for (int i = 0; i < m - rank_; ++i) {
    for (int k = 0; k < rank_; ++k) x_[k] = qr_.R(k, rank_ + i);
    qr_.solve_R(rank_, x_);
    for (int k = 0; k < rank_; ++k) Z_(qr_.order()[k], i) = -x_[k] * scale_[qr_.order()[k]];
    Z_(qr_.order()[rank_ + i], i) = scale_[qr_.order()[rank_ + i]];
  }
  // Z = Q R: without its parts along the first columns of Q, λ is normal to Z
  null_->compute(Z_);
  padded_.setZero();
  padded_.head(m) = lambda;
  null_->apply_Qt(padded_);
  padded_.head(m - rank_).setZero();
  null_->apply_Q(padded_);
  lambda = padded_.head(m);
}

}  // namespace maggi
