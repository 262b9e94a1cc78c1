#include "basis/svd.hpp"

#include "basis/metric_factor.hpp"

namespace maggi {

SvdBasis::SvdBasis(int n, int max_rows) : Basis(n), rows_(n, max_rows) {}

bool SvdBasis::compute(const Equations& equations) {
  const Matrix &C = equations.C, &A = rows_(C);
  rank_ = 0;
  if (A.rows() == 0) {
    D_.setIdentity();
    return true;
  }
  svd_.compute(A, Eigen::ComputeThinU | Eigen::ComputeFullV);
  const Vector& sigma = svd_.singularValues();
  while (rank_ < sigma.size() && sigma[rank_] > MetricFactor::default_tolerance * sigma[0]) ++rank_;
  D_.leftCols(C.cols() - rank_) = svd_.matrixV().rightCols(C.cols() - rank_);
  return true;
}

void SvdBasis::particular(const Vector& gamma, Vector& d0) const {
  d0.setZero();
  for (int k = 0; k < rank_; ++k)
    d0 += svd_.matrixV().col(k) *
          (svd_.matrixU().col(k).dot(rows_.scales().cwiseProduct(gamma)) / svd_.singularValues()[k]);
}

void SvdBasis::multipliers(const Vector& r, Vector& lambda) const {
  lambda.setZero();
  for (int k = 0; k < rank_; ++k)
    lambda += svd_.matrixU().col(k) * (svd_.matrixV().col(k).dot(r) / svd_.singularValues()[k]);
  lambda = rows_.scales().cwiseProduct(lambda);
}

}  // namespace maggi
