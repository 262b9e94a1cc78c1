#pragma once
#include "dynamics/dynamics.hpp"

namespace maggi {

/// Which multipliers the result of a run contains when rows depend on each other.
enum class Reactions {
  unique_only,  ///< those that the equations determine; the others are absent
  min_norm,     ///< also the others, from the λ of least norm, and named so: "lambda.hinge (min-norm)"
};

/// The part of λ that the equations leave open: columns z with Cᵀz = 0, one for each dependent row, m × k.
/// λ_i is unique if row i is zero; a formula is unique if it stays the same from λ to λ + z.
/// From the rank decision that `dynamics` has made, at the state given.
Matrix undetermined_multipliers(Dynamics& dynamics, const Instant& at);

}  // namespace maggi
