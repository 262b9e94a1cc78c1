#pragma once
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// The quantities of a mechanism at one instant. Each member says since which call it is right.
struct Measured {
  Vector value;  ///< s(q)              position()
  Vector S;      ///< packed, ṡ = S v   position()
  Vector rate;   ///< ṡ                 velocity()
  Vector bias;   ///< Ṡ v               acceleration()
  Vector Sdot;   ///< packed as S       rates()
};

/// Derivatives of the quantities, and of the equations of the mechanism alone, where σ acts along the quantities and
/// v̇ and σ are held. Columns as in Derivatives.
struct MeasuredDerivatives {
  Matrix rate_q;                          ///< ∂ṡ/∂q           velocity and acceleration
  Matrix acceleration_q, acceleration_v;  ///< of s̈ = S v̇ + Ṡ v
  Matrix balance_q, balance_v;            ///< of h + Sᵀσ − M v̇
};

/// An elimination whose rows are sums of quantities, with coefficients that may change.
class QuantityRecursion : public Recursion {
 public:
  virtual void use_coefficients(const double* values) = 0;  ///< read whenever it factorises
};

/// A mechanism that shows quantities s(q) besides its own equations: first the gaps of its closed loops, then those
/// that formulas asked for.
class MeasuringSystem : public MechanismSystem {
 public:
  virtual const Pattern& measured_pattern() const = 0;  ///< of S
  virtual const Measured& measured(const Workspace& w) const = 0;
  /// `rows`: coefficients of the quantities in each row; its entries are the coefficients.
  virtual std::unique_ptr<QuantityRecursion> recursion_over(const Pattern& rows) const = 0;

  /// rate_q of the derivatives; and all of them, where `forces` act along the quantities.
  virtual const MeasuredDerivatives& velocity_slopes(const Instant& at, Workspace& w) const = 0;
  virtual const MeasuredDerivatives& acceleration_slopes(const Instant& at, const double* vdot, const double* forces,
                                                         Workspace& w) const = 0;

  /// The outputs, where `forces` act along the quantities and those along the gaps are the multipliers.
  virtual void outputs_under(const Instant& at, const double* vdot, const double* forces, Workspace& w,
                             std::span<double> values) const = 0;
};

}  // namespace maggi::mechanism
