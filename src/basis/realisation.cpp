#include "basis/realisation.hpp"

#include <algorithm>

#include "base/largest.hpp"

namespace maggi {

namespace {

using PivotedColumns = Eigen::ColPivHouseholderQR<Matrix>;

/// Columns in the metric, of unit length; `length` is what they were divided by.
void enter_metric(const MetricFactor& factor, Matrix& columns, Vector& length) {
  length.resize(columns.cols());
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    factor.enter_metric(columns.col(j));
    const double norm = columns.col(j).norm();
    length[j] = norm > 0.0 ? norm : 1.0;
    columns.col(j) /= length[j];
  }
}

/// How many columns stand out; the columns have at most unit length, so the tolerance needs no scale.
int rank_of(const PivotedColumns& qr) {
  const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
  return static_cast<int>(
      std::count_if(diagonal.begin(), diagonal.end(), [](double x) { return x > Realisation::tolerance; }));
}

/// Z with A Z = 0, a column for every column of A beyond the rank.
Matrix combinations(const PivotedColumns& qr, int rank) {
  const Eigen::Index cols = qr.cols();
  if (rank == cols) return Matrix(cols, 0);
  Matrix Z = Matrix::Zero(cols, cols - rank);
  const Matrix R = qr.matrixQR().topRows(rank);
  Z.topRows(rank) = -R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(cols - rank));
  Z.bottomRows(cols - rank).setIdentity();
  return qr.colsPermutation() * Z;
}

}  // namespace

void Realisation::compute(const Matrix& M, const Matrix& C1, const Matrix& C2, const Matrix& B) {
  if (!factor_ || rows_.rows() != M.rows() || factor_->max_rows() < C1.rows())
    factor_.emplace(static_cast<int>(M.rows()), static_cast<int>(std::max<Eigen::Index>(1, C1.rows())));
  independent_.clear();
  served_.clear();
  rows_ = C2.transpose();
  forces_ = B;
  const bool metric = factor_->compute(M, C1);
  if (metric) {
    independent_.assign(factor_->independent().begin(), factor_->independent().end());
    enter_metric(*factor_, rows_, row_length_);
    enter_metric(*factor_, forces_, force_length_);
    for (Eigen::Index j = 0; j < forces_.cols(); ++j) factor_->take_off_rows(forces_.col(j));
  } else {  // a motion without inertia has no accelerations that a control could give
    forces_.setZero();
    row_length_.setOnes(rows_.cols());
    force_length_.setOnes(forces_.cols());
  }
  St_.resize(forces_.cols(), rows_.cols());
  St_.noalias() = forces_.transpose() * rows_;
  if (St_.size() == 0) return;
  reached_.compute(St_);
  for (int i = 0; i < rank_of(reached_); ++i)
    served_.push_back(static_cast<int>(reached_.colsPermutation().indices()[i]));
  std::sort(served_.begin(), served_.end());
}

Matrix Realisation::unreached() const {
  if (St_.size() == 0) return Matrix::Identity(rows_.cols(), rows_.cols());
  return row_length_.cwiseInverse().asDiagonal() * combinations(reached_, rank());
}

Matrix Realisation::without_effect() const {
  const PivotedColumns acting(forces_);
  return force_length_.cwiseInverse().asDiagonal() * combinations(acting, rank_of(acting));
}

std::vector<int> Realisation::unreached_rows() const {
  std::vector<int> rows;
  const Matrix all = unreached();
  const double noticed = 1e-9 * largest(all);
  for (Eigen::Index i = 0; i < all.rows(); ++i)
    if (largest(all.row(i)) > noticed) rows.push_back(static_cast<int>(i));
  return rows;
}

}  // namespace maggi
