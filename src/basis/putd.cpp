#include "basis/putd.hpp"

#include <cmath>

#include "basis/metric_factor.hpp"

namespace maggi {

PutdBasis::PutdBasis(int n, int max_rows)
    : Basis(n), rows_(n, max_rows), T_(n, max_rows), reflectors_(n, n), beta_(n) {}

template <class V>
void PutdBasis::reflect(int k, V&& x) const {
  const auto n = reflectors_.rows() - k;
  const auto v = reflectors_.col(k).tail(n);
  x.tail(n) -= (beta_[k] * v.dot(x.tail(n))) * v;
}

bool PutdBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  const auto n = static_cast<int>(C.cols()), m = static_cast<int>(C.rows());
  rows_(C);
  if (T_.cols() != m) T_.resize(n, m);
  T_ = rows_.A().transpose();
  rank_ = 0;
  independent_.clear();
  dependent_.clear();
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < rank_; ++k) reflect(k, T_.col(j));
    auto x = T_.col(j).tail(n - rank_);
    const double norm = rank_ < n ? x.norm() : 0.0;
    if (norm <= MetricFactor::default_tolerance) {  // of a row of unit length
      dependent_.push_back(j);
      continue;
    }
    const double alpha = x[0] > 0.0 ? -norm : norm;
    auto v = reflectors_.col(rank_).tail(n - rank_);
    v = x;
    v[0] -= alpha;
    beta_[rank_] = 2.0 / v.squaredNorm();
    x.setZero();
    x[0] = alpha;
    independent_.push_back(j);
    ++rank_;
  }
  for (int c = 0; c < n - rank_; ++c) {
    D_.col(c).setZero();
    D_(rank_ + c, c) = 1.0;
    for (int k = rank_ - 1; k >= 0; --k) reflect(k, D_.col(c));
  }
  return true;
}

void PutdBasis::particular(const Vector& gamma, Vector& d0) const {
  // Aᵀ = H T:  the independent columns of T are upper triangular, T_Iᵀ y = S γ_I, d₀ = H [y; 0]
  d0.setZero();
  for (int i = 0; i < rank_; ++i) {
    const int row = independent_[i];
    double sum = rows_.scale(row) * gamma[row];
    for (int k = 0; k < i; ++k) sum -= T_(k, row) * d0[k];
    d0[i] = sum / T_(i, row);
  }
  for (int k = rank_ - 1; k >= 0; --k) reflect(k, d0);
}

void PutdBasis::multipliers(const Vector& r, Vector& lambda) const {
  // T_I (S⁻¹ λ_I) = Hᵀ r
  Vector x = r;
  for (int k = 0; k < rank_; ++k) reflect(k, x);
  lambda.setZero();
  for (int i = rank_ - 1; i >= 0; --i) {
    for (int k = i + 1; k < rank_; ++k) x[i] -= T_(i, independent_[k]) * x[k];
    x[i] /= T_(i, independent_[i]);
    lambda[independent_[i]] = rows_.scale(independent_[i]) * x[i];
  }
}

}  // namespace maggi
