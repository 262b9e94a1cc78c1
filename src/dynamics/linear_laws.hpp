#pragma once

#include "base/decompositions.hpp"
#include "maggi/expert/system.hpp"

namespace maggi {

/// All laws linearised at forces (λ, τ):  τ = given − K λ.
class LinearLaws {
 public:
  LinearLaws(int laws, int m) : by_tau_(laws), K_(laws, m), given_(laws) {}

  /// The terms are those of System::laws() at these forces, and finite.
  void linearise(const Terms& terms, const Vector& lambda, const Vector& tau) {
    by_tau_.compute(terms.law_gradient.rightCols(tau.size()));
    K_ = by_tau_.solve(terms.law_gradient.leftCols(lambda.size()));
    given_ = by_tau_.solve(terms.law);
    given_ = tau - given_;
    given_.noalias() += K_ * lambda;
  }

  void find_tau(const Vector& lambda, Vector& tau) const {
    tau = given_;
    tau.noalias() -= K_ * lambda;
  }

  const Matrix& K() const { return K_; }          ///< laws × m
  const Vector& given() const { return given_; }  ///< the part of τ that does not depend on λ

 private:
  Eigen::PartialPivLU<Matrix> by_tau_;
  Matrix K_;
  Vector given_;
};

}  // namespace maggi
