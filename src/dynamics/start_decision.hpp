#pragma once
#include "dynamics/dynamics.hpp"

namespace maggi {

/// The mode with which a motion begins at this state, of the rows that the mode of the dynamics has in force in any
/// case. Error (model) if a one-sided row is violated or hit here, Error (numerics) as ContactDecision::decide().
Mode mode_at_start(Dynamics& dynamics, const State& start);

}  // namespace maggi
