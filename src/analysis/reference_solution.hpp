#pragma once
#include "maggi/formulation/dynamics.hpp"

namespace maggi::analysis {

/// The equations at one state, solved in extended precision: what formulations in double precision are held against.
///
///     error of v̇ = ‖S δv̇‖ / (‖S v̇‖ + ‖S⁻¹h‖),   S = diag √M_ii: free of units, defined at rest         (1)
///     error of λ = ‖P δλ‖ / (‖P λ‖ + ‖S⁻¹h‖),   P = diag ‖C_i S⁻¹‖                                       (2)
///     tolerance  = 20 n ε κ κ(D)²,   κ = κ(S⁻¹M S⁻¹) κ(P⁻¹C S⁻¹)²: methods may square C, and D           (3)
class ReferenceSolution {
 public:
  /// The rows in use are those of `dynamics`; rows that are nonlinear in v̇ are linearised at `acceleration`.
  ReferenceSolution(Dynamics& dynamics, const State& at, const Acceleration& acceleration);

  const State& state() const { return state_; }
  const Equations& equations() const { return equations_; }  ///< of the independent rows
  const Matrix& C() const { return C_; }                     ///< of all active rows
  double condition() const { return condition_; }            ///< κ

  double vdot_error(const Vector& other) const { return error(S_, vdot_, other); }
  double lambda_error(const Vector& other) const { return error(P_, lambda_, other); }
  double tolerance(double condition_of_D) const;

 private:
  double error(const Vector& scale, const Vector& value, const Vector& other) const;
  void find_scales(const RowSelection& active);
  void find_condition();

  State state_;
  Equations equations_;
  Matrix C_;
  Vector vdot_, lambda_;  // n, m
  Vector S_, P_;          // n, m
  double force_ = 0.0;    // ‖S⁻¹h‖
  double condition_ = 1.0;
};

}  // namespace maggi::analysis
