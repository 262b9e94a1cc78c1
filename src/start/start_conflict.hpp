#pragma once
#include "maggi/conflict.hpp"
#include "start/start_attempt.hpp"

namespace maggi::integration {

/// The irreducible set behind an attempt that failed, by deletion: a member whose absence does not help is left out,
/// until the absence of every one that is left makes the search succeed. Where no position is given, positions were
/// found and velocities were not, it is the set that contradicts itself among the velocities of these positions: the
/// smaller question, and the one that the user can check in a drawing.
Conflict find_conflict(const System& system, Workspace& w, const Start& start, const Demands& demands,
                       const StartAttempt& failed);

}  // namespace maggi::integration
