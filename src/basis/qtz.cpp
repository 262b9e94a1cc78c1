#include "basis/qtz.hpp"

#include "basis/metric_factor.hpp"

namespace maggi {

QtzBasis::QtzBasis(int n, int max_rows) : Basis(n), rows_(n, max_rows) {
  cod_.setThreshold(MetricFactor::default_tolerance);
}

bool QtzBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  const Eigen::Index n = C.cols();
  const Matrix& unit = rows_(C);  // also where there is none: multipliers() asks for the scale of each
  rank_ = 0;
  dependent_.clear();
  if (C.rows() == 0) {
    D_.setIdentity();
    return true;
  }
  cod_.compute(unit);
  rank_ = static_cast<int>(cod_.rank());
  D_.leftCols(n - rank_) = cod_.colsPermutation() * cod_.matrixZ().transpose().rightCols(n - rank_);
  return true;
}

void QtzBasis::particular(const Vector& gamma, Vector& d0) const {
  if (rank_ == 0)
    d0.setZero();
  else
    d0 = cod_.solve(rows_.scales().cwiseProduct(gamma));
}

void QtzBasis::multipliers(const Vector& r, Vector& lambda) const {
  lambda.setZero();
  if (rank_ == 0) return;
  Vector x = cod_.colsPermutation().transpose() * r;
  if (rank_ < x.size()) x = (cod_.matrixZ() * x).eval();  // otherwise Z = 1, which Eigen 3.4 does not return
  lambda.head(rank_) = cod_.matrixT()
                           .topLeftCorner(rank_, rank_)
                           .template triangularView<Eigen::Upper>()
                           .transpose()
                           .solve(x.head(rank_));
  lambda = rows_.scales().cwiseProduct(cod_.householderQ() * lambda);
}

}  // namespace maggi
