#pragma once
#include <string>
#include <vector>

#include "maggi/expert/system.hpp"
#include "maggi/mode.hpp"

namespace maggi {

/// What each one-sided row and each contact with friction does at a state: "floor presses", "wall open, 0.2 m",
/// "sole sticks".
std::vector<std::string> contact_states(const System& system, const State& at, const Mode& mode);

}  // namespace maggi
