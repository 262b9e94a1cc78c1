#pragma once
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi::integration {

/// Rows ψ(q, v, v̇, t) = 0 that are nonlinear in v̇ can be met by several accelerations at one state. With
///
///     M v̇ = h + Cᵀλ,   C = ∂ψ/∂v̇
///
/// each of them is a stationary value of Gauss's constraint Z = ½ (v̇ − M⁻¹h)ᵀM(v̇ − M⁻¹h) on ψ = 0. The motion takes the
/// least one (Gauss's principle of least constraint); nothing selects one of several that are equally small.
struct AccelerationBranch {
  Acceleration a;
  double constraint = 0.0;  ///< Z but for a constant
};

/// Is a row in force that is nonlinear in v̇?
bool is_nonlinear_in_accelerations(const Dynamics& dynamics);

/// The branches found by Newton's method from many accelerations, least constraint first. The dynamics is left in the
/// mode it was in, near the first branch.
std::vector<AccelerationBranch> find_acceleration_branches(Dynamics& dynamics, const State& state);

/// The branch of least constraint, near which the dynamics is left. Error (numerics) if there is none, or if several
/// are equally small. `others`: which there are beside it, in words; empty if there are none.
Acceleration take_acceleration_branch(Dynamics& dynamics, const State& state, std::string& others);

}  // namespace maggi::integration
