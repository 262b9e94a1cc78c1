#pragma once
#include <vector>

#include "maggi/formulation/dynamics.hpp"
#include "maggi/integration/integrate.hpp"

namespace maggi::integration {

/// A position row can be switched on only where it is met, |f_i| ≤ tolerance ‖row i of C‖: why the rows of the next
/// mode cannot be, with the gap; empty if they can.
std::string explain_gap(Dynamics& dynamics, const Mode& next, const State& state, double tolerance);

/// The velocities jump when rows are switched on that they do not meet: the least change in the metric of the mass
/// matrix, with all rows in force,
///
///     min ½ (v⁺ − v⁻)ᵀ M (v⁺ − v⁻)   with   φ(q, v⁺, t) = 0    ⇔    M (v⁺ − v⁻) = CᵀΛ,   C = ∂φ/∂v at v⁺
///
/// Λ of least norm where rows are redundant. Impulse and energy go to the first record that switches rows on.
/// `projection` uses the rows in force. false if they cannot be met.
bool apply_impact(Dynamics& dynamics, const Mode& before, Projection& projection, State& state,
                  std::vector<EventRecord>& records);

}  // namespace maggi::integration
