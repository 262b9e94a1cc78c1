#pragma once
#include <string>

#include "dynamics/dynamics.hpp"

namespace maggi::integration {

/// Does a formula run into a pole in front of this state, which a run could not pass? Near a pole of order p at t*
///
///     g = a / (t* − t)^p,   g / ġ = (t* − t) / p = L,   L̇ = −1/p
///
/// for g = ∂f/∂t of a driven row, or a force h along the motion. In words, with the row or the velocity and t*; empty
/// if there is none.
std::string explain_pole(Dynamics& dynamics, const State& at, double span);

}  // namespace maggi::integration
