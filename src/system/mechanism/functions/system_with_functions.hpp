#pragma once
#include "maggi/expert/expression.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// The output functions s(q) of a mechanism at one instant. Each member names the call after which it is valid.
struct FunctionValues {
  Vector value;  ///< s(q)              position()
  Vector S;      ///< packed, ṡ = S v   position()
  Vector rate;   ///< ṡ                 velocity()
  Vector bias;   ///< Ṡ v               acceleration()
  Vector Sdot;   ///< packed as S       rates()
};

/// Derivatives of the output functions, and of the equations of the mechanism alone, where the forces σ act along the
/// output functions and v̇ and σ are held. Columns as in Derivatives.
struct FunctionDerivatives {
  Matrix rate_q;                          ///< ∂ṡ/∂q           velocity and acceleration
  Matrix acceleration_q, acceleration_v;  ///< of s̈ = S v̇ + Ṡ v
  Matrix balance_q, balance_v;            ///< of h + Sᵀσ − M v̇
};

/// The same by parameters of the model; a column for each that was asked for.
struct FunctionParameterDerivatives {
  Matrix value_p, rate_p, acceleration_p;  ///< of s, ṡ, s̈
  Matrix balance_p;                        ///< of h + Sᵀσ − M v̇
};

/// The equations of the mechanism alone and its output functions as formulas.
struct FunctionFormulas {
  int n = 0;
  std::vector<expression::Id> M, h;            ///< lower triangle, row by row; n
  std::vector<expression::Id> value, S, bias;  ///< s(q); ṡ = S v, row by row with all zeros; Ṡ v
};

/// An elimination whose rows are sums of output functions with coefficients that may change.
class FunctionRecursion : public Recursion {
 public:
  virtual void use_coefficients(const double* values) = 0;  ///< read whenever it factorises
};

/// A mechanism that evaluates output functions s(q) besides its own equations: first the gaps of its closed loops, then
/// the functions that formulas use.
class SystemWithFunctions : public MechanismSystem {
 public:
  virtual const Pattern& function_pattern() const = 0;  ///< of S
  virtual const FunctionValues& function_values(const Workspace& w) const = 0;
  /// `rows`: pattern of the coefficients of the output functions in each row.
  virtual std::unique_ptr<FunctionRecursion> recursion_over(const Pattern& rows) const = 0;

  /// Only rate_q of the derivatives; and all of them, where `forces` act along the output functions.
  virtual const FunctionDerivatives& velocity_slopes(const Instant& at, Workspace& w) const = 0;
  virtual const FunctionDerivatives& acceleration_slopes(const Instant& at, const double* vdot, const double* forces,
                                                         Workspace& w) const = 0;

  virtual void parameter_slopes(const Instant& at, const double* vdot, const double* forces,
                                const std::vector<int>& which, FunctionParameterDerivatives& d) const = 0;
  /// Row by row, what forces along the output functions do in absolute velocities; see absolute_rows().
  virtual Matrix absolute_rows_of(const Instant& at, const Matrix& forces, Workspace& w) const = 0;

  /// In formulas for q and v, where q̇ = v. Error (model) with the reason if there are none.
  virtual FunctionFormulas function_formulas(expression::Graph& graph, const std::vector<expression::Id>& q,
                                             const std::vector<expression::Id>& v) const = 0;

  /// The outputs, where `forces` act along the output functions; the forces along the gaps are the multipliers.
  virtual void outputs_under(const Instant& at, const double* vdot, const double* forces, Workspace& w,
                             std::span<double> values) const = 0;
};

}  // namespace maggi::mechanism
