#pragma once
#include <string>

#include "integration/event/event_source.hpp"

namespace maggi::integration {

/// A position row can be switched on only where it is met, |f_i| ≤ tolerance ‖row i of C‖: why the rows of the next
/// mode cannot be, with the gap; empty if they can.
std::string explain_gap(Dynamics& dynamics, const Mode& next, const State& state, double tolerance);

/// What follows where functions have crossed zero: velocities may jump, and what is in force is decided again at the
/// velocities after that. The velocities jump when rows are switched on that they do not meet, or one-sided rows are
/// hit:
///
///     M (v⁺ − v⁻) = CᵀΛ                                            C = ∂φ/∂v at v⁺
///     rows in force     φ⁺ = 0
///     one-sided rows    0 ≤ Λ ⊥ φ⁺ + e φ⁻ ≥ 0                       all that touch; e φ⁻ = 0 if they do not approach
///
/// Without one-sided rows it is the least change in the metric of the mass matrix. Λ is of least norm where rows are
/// redundant. Equal restitutions never give energy; if different ones would, the least of them counts for all.
///
/// A row comes to rest, φ⁺ = 0, that would rebound by less than four times the gap that cannot be told from zero,
/// φ⁺²/(2 |f̈|): so bounces that follow each other ever faster come to an end.
///
/// The mode of the consequence is then the one after it; impulses and energy go to its first record that switches rows
/// on or is hit. false if the rows in force cannot be met. Error (numerics) if the one-sided ones cannot, or if it is
/// not decided what is in force.
bool apply_jump(Dynamics& dynamics, Consequence& consequence, State& state);

}  // namespace maggi::integration
