#include "dynamics/reduced_laws.hpp"

namespace maggi {

ReducedLaws::ReducedLaws(const System& system, const Mode& mode, Workspace& workspace)
    : system_(system),
      mode_(mode),
      workspace_(workspace),
      linear_(static_cast<int>(system.shape().laws.size()), system.shape().m()),
      lambda0_(system.shape().m()),
      Lambda_(system.shape().m(), system.shape().laws.size()),
      matrix_(Lambda_.cols(), Lambda_.cols()),
      lu_(Lambda_.cols()),
      side_(Lambda_.cols()) {}

void ReducedLaws::reduce(const Equations& equations, const Vector& h, const Matrix& G, const Matrix& T,
                         const std::vector<int>& rows) {
  const Eigen::Index n = equations.n(), m = equations.m(), laws = T.cols();
  kkt_.resize(n + m, n + m);
  right_.resize(n + m, 1 + laws);
  kkt_ << equations.M, -G, equations.C, Matrix::Zero(m, m);
  right_ << h, T, equations.gamma, Matrix::Zero(m, laws);
  kkt_lu_.compute(kkt_);
  solution_ = kkt_lu_.solve(right_);
  lambda0_.setZero();
  Lambda_.setZero();
  for (Eigen::Index i = 0; i < m; ++i) {
    lambda0_[rows[i]] = solution_(n + i, 0);
    Lambda_.row(rows[i]) = solution_.row(n + i).tail(laws);
  }
}

void ReducedLaws::linearise(const Instant& at, const Vector& lambda, const Vector& tau) {
  system_.laws(at, lambda.data(), tau.data(), mode_.sense.data(), workspace_);
  linear_.linearise(workspace_.terms, lambda, tau);
  residual_ = workspace_.terms.law.norm();
}

void ReducedLaws::factorise(const Matrix& K) {
  matrix_.setIdentity();
  matrix_.noalias() += K * Lambda_;
  lu_.compute(matrix_);
}

double ReducedLaws::determinant() { return determinant(K()); }

double ReducedLaws::determinant(const Matrix& K) {
  factorise(K);
  return lu_.determinant();
}

void ReducedLaws::solve(Vector& tau) {
  factorise(K());
  side_ = linear_.given();
  side_.noalias() -= K() * lambda0_;
  tau = lu_.solve(side_);
}

void ReducedLaws::find_lambda(const Vector& tau, Vector& lambda) const {
  lambda = lambda0_;
  lambda.noalias() += Lambda_ * tau;
}

}  // namespace maggi
