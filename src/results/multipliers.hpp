#pragma once
#include "dynamics/dynamics.hpp"
#include "maggi/run_options.hpp"

namespace maggi {

/// The part of λ that the equations leave open: columns z with Cᵀz = 0, one for each dependent row, m × k.
/// λ_i is unique if row i is zero; a formula is unique if it stays the same from λ to λ + z.
/// From the rank decision that `dynamics` has made, at the state given.
Matrix undetermined_multipliers(Dynamics& dynamics, const Instant& at);

}  // namespace maggi
