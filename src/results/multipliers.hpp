#pragma once
#include "dynamics/dynamics.hpp"
#include "maggi/run_options.hpp"

namespace maggi {

/// The part of λ and p that the equations leave open: columns z = (λ, p), (m + controls) × k, one with Cᵀλ = 0, p = 0
/// for each dependent row, and one for each control that could be chosen, see open_controls(). λ_i is unique if row i
/// is zero; a formula is unique if it stays the same from (λ, p) to (λ, p) + z. From the rank decision that `dynamics`
/// has made, at the state given.
Matrix undetermined_multipliers(Dynamics& dynamics, const Instant& at);

}  // namespace maggi
