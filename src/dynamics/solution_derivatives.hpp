#pragma once

#include "base/decompositions.hpp"
#include "dynamics/dynamics.hpp"

namespace maggi {

/// Derivatives of the accelerations by positions and velocities. The linear system that gives v̇ and λ is differentiated
/// once, its solution held (Derivatives), and solved again with the derivatives on the right:
///
///     | M − K  −Cᵀ   −T    −B |  dv̇     d balance
///     | C       0     0     0 |  dλ  =  d rows             rows in use, laws in force by the mode of the dynamics
///     | 0      ∂law/∂λ ∂law/∂τ 0 |  dτ     −d law
///                                 dp                        K = Σ λ ∂²ψ/∂v̇² of rows nonlinear in v̇
///
/// With Dynamics::stabilise() the terms of Baumgarte are in them, as they are in Dynamics::accelerate(). Columns by q
/// belong to displacements along the velocities, as in Derivatives. One object per Dynamics, which must outlive it.
class SolutionDerivatives {
 public:
  explicit SolutionDerivatives(Dynamics& dynamics) : dynamics_(dynamics) {}

  /// Costs one evaluation of the dynamics, one of the derivatives, and a dense LU. false if there is no solution here,
  /// or something is not finite.
  bool compute(const Instant& at);

  const Acceleration& solution() const { return a_; }  ///< λ: of the rows in use; the reaction is not filled
  const Matrix& vdot_q() const { return vdot_q_; }     ///< n × n
  const Matrix& vdot_v() const { return vdot_v_; }

  /// The derivatives (n each) of the power of all reactions, r · v with r = M v̇ − h; after compute().
  void power(const Instant& at, Vector& by_q, Vector& by_v);

 private:
  void fill_matrix(const Instant& at);
  void fill_right_side(const Instant& at);

  Dynamics& dynamics_;
  Acceleration a_, accelerations_;  // all; without forces
  Vector none_, momentum_;
  Derivatives d_;
  Matrix K_, C_, M_, T_, curvature_, right_, all_;  // all_: derivatives of v̇, λ, τ, p
  Eigen::PartialPivLU<Matrix> lu_;
  Matrix vdot_q_, vdot_v_;
};

}  // namespace maggi
