#include "basis/huang.hpp"

#include "base/largest.hpp"
#include "basis/metric_factor.hpp"

namespace maggi {

HuangBasis::HuangBasis(int n, int max_rows)
    : Basis(n), rows_(n, max_rows), H_(n, n), P_(n, n), previous_(n, n), work_(n) {}

bool HuangBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  const auto n = static_cast<int>(C.cols());
  const Matrix& A = rows_(C);
  H_.setIdentity();
  rank_ = 0;
  independent_.clear();
  dependent_.clear();
  for (int i = 0; i < A.rows(); ++i) {
    work_.noalias() = H_ * A.row(i).transpose();
    auto p = P_.col(std::min(rank_, n - 1));
    if (rank_ < n) p.noalias() = H_ * work_;
    const double size = rank_ < n ? p.squaredNorm() : 0.0;
    if (size <= MetricFactor::default_tolerance * MetricFactor::default_tolerance) {  // of a row of unit length
      dependent_.push_back(i);
      continue;
    }
    H_.noalias() -= (p / size).lazyProduct(p.transpose());
    independent_.push_back(i);
    ++rank_;
  }
  const int k = n - rank_;
  for (int j = 0; j < k; ++j) {
    auto d = D_.col(j);
    bool good = false;
    if (previous_columns_ == k) {
      work_.noalias() = H_ * previous_.col(j);
      d.noalias() = H_ * work_;
      good = d.norm() > 1e-2;
    }
    if (!good) {
      Eigen::Index freest;
      largest(H_.diagonal(), &freest);
      work_ = H_.col(freest);
      d.noalias() = H_ * work_;
    }
    d /= d.norm();
    H_.noalias() -= d.lazyProduct(d.transpose());
  }
  previous_.leftCols(k) = D_.leftCols(k);
  previous_columns_ = k;
  return true;
}

void HuangBasis::particular(const Vector& gamma, Vector& d0) const {
  d0.setZero();
  for (int i = 0; i < rank_; ++i) {
    const auto c = rows_.A().row(independent_[i]);
    const auto p = P_.col(i);
    d0 -= p * ((c.dot(d0) - rows_.scale(independent_[i]) * gamma[independent_[i]]) / c.dot(p));
  }
}

void HuangBasis::multipliers(const Vector& r, Vector& lambda) const {
  // the rows are a_i = Σ_j≤i L_ij p_j with orthogonal p: solve Lᵀ(S⁻¹λ) = (pᵀr/pᵀp) from the last row up
  lambda.setZero();
  work_ = r;
  for (int i = rank_ - 1; i >= 0; --i) {
    const auto c = rows_.A().row(independent_[i]);
    const auto p = P_.col(i);
    const double value = p.dot(work_) / c.dot(p);
    work_ -= value * c.transpose();
    lambda[independent_[i]] = rows_.scale(independent_[i]) * value;
  }
}

}  // namespace maggi
