#pragma once
#include <functional>
#include <string>

#include "maggi/expert/system.hpp"

namespace maggi::test {

/// All that the equations say at one instant, where v̇, λ, τ and p are given; see Derivatives.
struct Residuals {
  Vector balance, rows, law, phi, f;
};

/// An instant, what is held at it, and the direction of sliding.
struct HeldState {
  State state;
  Acceleration held;
  Vector sense;

  /// Near a state, with random velocities and held values: derivatives hold off the constraints, too.
  static HeldState near(const System& system, const State& state, double away, unsigned seed);
};

/// Written out from the terms, without anything that the derivatives use.
Residuals residuals(const System& system, Workspace& w, const HeldState& at);

/// The derivative of r at 0 by central differences, extrapolated over five halvings from h = `first`: an error of h¹⁰
/// in truncation, and of 2ε/h_min in rounding, relative to the size of r. NaN is handed on.
Vector extrapolated(const std::function<Vector(double)>& r, double first, double& size);

/// `exact` against that, relative to the sizes of r and of the derivative. With h from 0.005 to 0.00016 rounding is
/// 3e-12, so that 1e-10 leaves room for residuals that are themselves sums of larger numbers.
void expect_derivative(const Vector& exact, const std::function<Vector(double)>& r, const std::string& what,
                       double first = 0.005, double tolerance = 1e-10);

/// The derivatives by positions and velocities of all parts.
void expect_derivatives(const System& system, const HeldState& at);

}  // namespace maggi::test
