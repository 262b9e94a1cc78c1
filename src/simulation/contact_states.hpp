#pragma once
#include <string>
#include <vector>

#include "maggi/expert/system.hpp"
#include "maggi/mode.hpp"

namespace maggi {

/// In a word: "sticks", "slides", or "rests" if nothing presses it or others hold it.
const char* state_of(const Contact& contact, const Mode& mode);

/// What each one-sided row and each contact with friction does at a state: "floor presses", "wall open, 0.2 m",
/// "sole sticks", "foot not pressed".
std::vector<std::string> contact_states(const System& system, const State& at, const Mode& mode);

}  // namespace maggi
