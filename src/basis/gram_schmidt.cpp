#include "basis/gram_schmidt.hpp"

#include <algorithm>
#include <cmath>

#include "base/cholesky.hpp"
#include "basis/metric_factor.hpp"
#include "basis/projective.hpp"
#include "basis/selection.hpp"

namespace maggi {

GramSchmidtBasis::GramSchmidtBasis(int n, Metric metric, Supplement supplement)
    : Basis(n),
      mass_metric_(metric == Metric::mass),
      always_select_(supplement == Supplement::chosen_anew),
      M_(Matrix::Identity(n, n)),
      L_(Matrix::Identity(n, n)),
      P_(n, n),
      Q_(n, n),
      R_(n, n),
      W_(n, n),
      W_star_(n, n),
      qr_(n, n) {}

bool GramSchmidtBasis::compute(const Equations& equations) {
  const Matrix &M = equations.M, &C = equations.C;
  if (mass_metric_) {
    M_ = M;
    L_ = M;
    if (!cholesky(L_)) {
      why_ = "the mass matrix is not positive definite, so it is no metric";
      return false;
    }
    L_.triangularView<Eigen::StrictlyUpper>().setZero();
  }
  // rows that were dependent may no longer be so
  const bool same_rows = last_rows_ == C.rows() && (held_ || (dependent_.empty() && !always_select_));
  last_rows_ = C.rows();
  strained_ = !same_rows || !orthonormalise(C);
  if (strained_ && held_ && !(same_rows && W_.allFinite())) {
    why_ = no_longer_fits;
    return false;
  }
  if (strained_ && !held_) {
    select(C);
    strained_ = !orthonormalise(C);
  }
  D_.leftCols(C.cols() - rank_) = W_.rightCols(C.cols() - rank_);
  return true;
}

void GramSchmidtBasis::select(const Matrix& C) {
  ++selections_;
  RowChoice choice = choose_rows(C);
  rows_ = std::move(choice.independent);
  dependent_ = std::move(choice.dependent);
  rank_ = static_cast<int>(rows_.size());
  Matrix independent(rank_, C.cols());
  for (int i = 0; i < rank_; ++i) independent.row(i) = C.row(rows_[i]);
  supplement_ = free_coordinates(M_, independent);
}

bool GramSchmidtBasis::orthonormalise(const Matrix& C) {
  const auto n = static_cast<int>(C.cols());
  P_.setZero();
  for (int i = 0; i < rank_; ++i) P_.col(i) = C.row(rows_[i]).transpose();
  for (int j = rank_; j < n; ++j) P_(supplement_[j - rank_], j) = 1.0;
  for (int j = 0; j < n; ++j) solve_lower(L_, P_.col(j));
  qr_.compute(P_);
  R_ = qr_.matrixQR().triangularView<Eigen::Upper>();
  Q_ = qr_.householderQ();
  bool good = R_.allFinite();
  for (int j = 0; j < n; ++j) {
    if (R_(j, j) < 0.0) {
      R_.row(j) *= -1.0;
      Q_.col(j) *= -1.0;
    }
    const double least = j < rank_ ? MetricFactor::default_tolerance : least_sine;
    if (!(R_(j, j) >= least * P_.col(j).norm())) good = false;
  }
  W_ = Q_;
  for (int j = 0; j < n; ++j) solve_lower_transposed(L_, W_.col(j));
  W_star_.noalias() = L_ * Q_;
  return good;
}

void GramSchmidtBasis::particular(const Vector& gamma, Vector& d0) const {
  Vector y(rank_);
  for (int i = 0; i < rank_; ++i) y[i] = gamma[rows_[i]];
  Rc().transpose().triangularView<Eigen::Lower>().solveInPlace(y);
  d0.noalias() = Wc() * y;
}

void GramSchmidtBasis::multipliers(const Vector& r, Vector& lambda) const {
  Vector y = Wc().transpose() * r;
  Rc().triangularView<Eigen::Upper>().solveInPlace(y);
  lambda.setZero();
  for (int i = 0; i < rank_; ++i) lambda[rows_[i]] = y[i];
}

Matrix GramSchmidtBasis::W_rate(const Rates& rates) const {
  const Eigen::Index n = W_.rows();
  const Matrix metric_rate = mass_metric_ ? rates.M : Matrix::Zero(n, n);
  Matrix Pdot = Matrix::Zero(n, n);  // frozen E*: only the rows of C move
  for (int i = 0; i < rank_; ++i) Pdot.col(i) = rates.C.row(rows_[i]).transpose();
  const Matrix PdotRinv = R_.transpose().triangularView<Eigen::Lower>().solve(Pdot.transpose()).transpose();
  const Matrix A = W_.transpose() * PdotRinv;
  const Matrix S = A + A.transpose() - W_.transpose() * metric_rate * W_;
  Matrix U = S.triangularView<Eigen::StrictlyUpper>();
  U.diagonal() = 0.5 * S.diagonal();
  Matrix rate_of_W = PdotRinv - W_star_ * U - metric_rate * W_;
  for (Eigen::Index j = 0; j < n; ++j) {
    solve_lower(L_, rate_of_W.col(j));
    solve_lower_transposed(L_, rate_of_W.col(j));
  }
  return rate_of_W;
}

void GramSchmidtBasis::tangent(const Vector& v, Vector& u) const {
  u.noalias() = W_star_.rightCols(D().cols()).transpose() * v;
}

bool GramSchmidtBasis::tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const {
  if (always_select_) return false;
  // Ẇ* = Ṁ W + M Ẇ
  Vector momentum = L_ * (L_.transpose() * v);
  udot.noalias() = W_star_.rightCols(D().cols()).transpose() * vdot;
  udot.noalias() += W_rate(rates).rightCols(D().cols()).transpose() * momentum;
  if (mass_metric_) udot.noalias() += D().transpose() * (rates.M * v);
  return true;
}

bool GramSchmidtBasis::rate(const Rates& rates, Matrix& Ddot) const {
  if (always_select_) return false;
  Ddot = W_rate(rates).rightCols(D().cols());
  return true;
}

}  // namespace maggi
