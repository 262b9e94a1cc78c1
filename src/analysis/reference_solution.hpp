#pragma once
#include "analysis/followed_motion.hpp"
#include "dynamics/dynamics.hpp"

namespace maggi::analysis {

/// The equations at one state, solved in extended precision: what formulations in double precision are held against.
///
///     error of v̇ = ‖S δv̇‖ / (‖S v̇‖ + ‖S⁻¹h‖),   S = diag √M_ii: free of units, defined at rest         (1)
///     error of λ = ‖P δλ‖ / (‖P λ‖ + ‖S⁻¹h‖),   P = diag ‖C_i S⁻¹‖                                       (2)
///     tolerance  = 20 N ε κ κ(D)²,   κ = κ(S⁻¹M S⁻¹) κ(P⁻¹C S⁻¹)²: methods may square C, and D           (3)
///     N unknowns: v̇, λ, τ and p
///
/// Where no force acts and nothing accelerates, the scale is ‖S v‖ per second: what would be noticed of the motion.
/// With laws and controls λ in (2) means (λ, τ, p), with the columns of T and B for C_i, and κ(P⁻¹C S⁻¹)² in (3) is at
/// least κ(C M⁻¹G), its rows and columns scaled to length 1: near Painlevé's paradox the forces are sensitive, however
/// different the constraints.
class ReferenceSolution {
 public:
  /// The mode and the rows in use are those of `dynamics`; rows that are nonlinear in v̇ and laws are linearised at
  /// `acceleration`.
  ReferenceSolution(Dynamics& dynamics, const State& at, const Acceleration& acceleration);

  const Moment& moment() const { return moment_; }
  const Matrix& C() const { return C_; }           ///< of all active rows that those in use imply
  double condition() const { return condition_; }  ///< κ

  double vdot_error(const Vector& other) const { return error(S_, vdot_, other); }
  double force_error(const Acceleration& other) const;  ///< of λ, τ and p
  double tolerance(double condition_of_D) const;

 private:
  double error(const Vector& scale, const Vector& value, const Vector& other) const;
  void find_forces(const Dynamics& dynamics, const System& system, Workspace& w, Acceleration& a);
  void find_scales(const Matrix& C);
  void find_condition();

  Moment moment_;
  Equations equations_;  // of the rows in use
  Matrix C_, T_, B_;
  Vector vdot_, forces_;  // n; λ, τ, p
  Vector S_, P_;          // n; as many as there are forces
  double force_ = 0.0;    // ‖S⁻¹h‖, without laws and controls: what balances is not small
  double speed_ = 0.0;    // ‖S v‖ / 1 s
  double condition_ = 1.0;
};

}  // namespace maggi::analysis
