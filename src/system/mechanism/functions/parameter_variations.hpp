#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "maggi/expert/system.hpp"
#include "system/mechanism/reference/mechanism_source.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// Derivatives of a mechanism by the parameters of its model. Parameters enter through the reference configuration, of
/// which all masses, lengths, frames and formulas of the mechanism are made; so the mechanism is given
/// other numbers, and the residuals of its equations are differenced:
///
///     ∂r/∂p ≈ Σ w_k (r(p + k h) − r(p − k h)) / h       k = 1 … 4, of order 8, h = |p|/1024
///
/// What is polynomial in p up to the eighth degree, as in masses, stiffnesses and lengths, is exact but for rounding of
/// 1024 ε ≈ 2e-13 relative to r; so is what changes on a scale of |p|/50 or more, where the next term is below
/// rounding. A parameter is refused by name if the mechanism cannot be made with a value beside its own, if it then has
/// other coordinates or rows, or if the formula of order 6 gives another derivative.
///
/// The mechanisms are made when they are asked for first, and kept. Threads may share one object.
class ParameterVariations {
 public:
  /// Of a mechanism, which this object is part of.
  ParameterVariations(const MechanismSystem& mechanism, std::shared_ptr<const MechanismSource> source)
      : mechanism_(mechanism), source_(std::move(source)) {}

  /// By some of the parameters; `shape`: of the mechanism whose parameters are varied.
  void derivatives(const Shape& shape, const Instant& at, const Acceleration& held, const Vector& sense,
                   const std::vector<int>& which, Derivatives& d) const;

 private:
  static constexpr int steps = 4;

  /// The mechanism with one parameter changed, and memory for it.
  struct Changed {
    std::unique_ptr<System> system;
    std::unique_ptr<Workspace> workspace;
  };
  struct Variation {
    double h = 0.0;
    std::vector<Changed> ahead, behind;
  };

  Variation make(int parameter, double value) const;
  const Variation& variation(int parameter, const Shape& shape) const;
  Vector derivative(int parameter, const Shape& shape, const Instant& at, const Acceleration& held,
                    const Vector& sense) const;

  const MechanismSystem& mechanism_;
  std::shared_ptr<const MechanismSource> source_;
  mutable std::mutex busy_;
  mutable std::map<int, Variation> made_;  // of parameters
};

}  // namespace maggi::mechanism
