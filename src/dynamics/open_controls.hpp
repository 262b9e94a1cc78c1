#pragma once
#include "dynamics/dynamics.hpp"

namespace maggi {

/// What the servo rows leave open where there are more controls than they need: columns (λ, p) with
///
///     M v̇ = C₁ᵀλ + B p,   C₁ v̇ = 0,   C₂ v̇ = 0                                  (m + controls) × free_controls()
///
/// by which the forces can differ from those found, the least in Σ p². From the rank decision that `dynamics` has made,
/// at the state given; an entry that is rounding is 0.
Matrix open_controls(Dynamics& dynamics, const Instant& at);

}  // namespace maggi
