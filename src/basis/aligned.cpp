#include "basis/aligned.hpp"

#include <cmath>

#include "base/cholesky.hpp"
#include "base/decompositions.hpp"

namespace maggi {

AlignedBasis::AlignedBasis(std::unique_ptr<Basis> raw, Continuity kind, int n)
    : Basis(n), raw_(std::move(raw)), kind_(kind), M_(Matrix::Identity(n, n)) {}

bool AlignedBasis::compute(const Equations& equations) {
  if (!orthonormalise(equations)) return false;
  strained_ = !fits() || !align();
  if (strained_ && held_ && !(fits() && D().allFinite())) {
    why_ = no_longer_fits;
    return false;
  }
  if (strained_ && !held_) {
    ++selections_;
    K_ = M_ * (fits() && D().allFinite() ? Matrix(D()) : start_);  // the old one carried along: u hardly jumps
    strained_ = !align();
  }
  return true;
}

bool AlignedBasis::orthonormalise(const Equations& equations) {
  if (!raw_->compute(equations)) {
    why_ = raw_->why();
    return false;
  }
  rank_ = raw_->rank();
  dependent_ = raw_->dependent_rows();
  start_ = raw_->D();
  if (kind_ != Continuity::procrustes_mass) return true;
  M_ = equations.M;
  Matrix L = start_.transpose() * M_ * start_;
  if (!cholesky(L)) {
    why_ = "a motion that the constraints allow has no inertia, so the mass matrix is no metric";
    return false;
  }
  start_ = L.triangularView<Eigen::Lower>().solve(start_.transpose()).transpose();
  return true;
}

bool AlignedBasis::align() {
  const Eigen::Index k = start_.cols();
  auto D = D_.leftCols(k);
  if (k == 0) return true;
  if (kind_ == Continuity::warm_start) {
    const Matrix projected = start_ * (start_.transpose() * K_);
    const Eigen::HouseholderQR<Matrix> qr(projected);
    R_ = qr.matrixQR().topRows(k).triangularView<Eigen::Upper>();
    D = qr.householderQ() * Matrix::Identity(start_.rows(), k);
    for (Eigen::Index j = 0; j < k; ++j)
      if (R_(j, j) < 0.0) {
        R_.row(j) *= -1.0;
        D.col(j) *= -1.0;
      }
    sigma_ = R_.diagonal();
  } else {
    const Eigen::JacobiSVD<Matrix> svd(start_.transpose() * K_, Eigen::ComputeFullU | Eigen::ComputeFullV);
    V_ = svd.matrixV();
    sigma_ = svd.singularValues();
    D = start_ * (svd.matrixU() * V_.transpose());
  }
  return (sigma_.array() >= least_cosine).all();
}

Matrix AlignedBasis::connection(const Rates& rates) const {
  const Matrix CdotD = rates.C * D();
  Matrix result(D_.rows(), D().cols());
  Vector d0(D_.rows());
  for (Eigen::Index j = 0; j < result.cols(); ++j) {
    particular(CdotD.col(j), d0);
    result.col(j) = -d0;
  }
  if (kind_ == Continuity::procrustes_mass) result -= 0.5 * D() * (D().transpose() * rates.M * D());
  return result;
}

Matrix AlignedBasis::turning(const Matrix& A) const {
  Matrix turned = V_.transpose() * (A.transpose() - A) * V_;
  for (Eigen::Index i = 0; i < turned.rows(); ++i)
    for (Eigen::Index j = 0; j < turned.cols(); ++j) turned(i, j) /= sigma_[i] + sigma_[j];
  return V_ * turned * V_.transpose();
}

bool AlignedBasis::rate(const Rates& rates, Matrix& Ddot) const {
  const Matrix natural = connection(rates);
  Ddot = natural;
  if (natural.cols() == 0) return true;
  if (kind_ == Continuity::warm_start) {
    const Matrix B =
        R_.transpose().triangularView<Eigen::Lower>().solve(K_.transpose() * natural).transpose();  // D̃ᵀK R⁻¹
    Matrix U = (B + B.transpose()).triangularView<Eigen::StrictlyUpper>();
    U.diagonal() = B.diagonal();
    Ddot += D() * (B - U);
  } else {
    Ddot += D() * turning(K_.transpose() * natural);
  }
  return true;
}

void AlignedBasis::particular(const Vector& gamma, Vector& d0) const {
  raw_->particular(gamma, d0);
  if (kind_ == Continuity::procrustes_mass) d0 -= (D() * (D().transpose() * (M_ * d0))).eval();  // DᵀM d₀ = 0
}

void AlignedBasis::tangent(const Vector& v, Vector& u) const { u.noalias() = D().transpose() * (M_ * v); }

bool AlignedBasis::tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const {
  Matrix Ddot;
  rate(rates, Ddot);
  udot.noalias() = D().transpose() * (M_ * vdot) + Ddot.transpose() * (M_ * v);
  if (kind_ == Continuity::procrustes_mass) udot.noalias() += D().transpose() * (rates.M * v);
  return true;
}

}  // namespace maggi
