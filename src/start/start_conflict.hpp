#pragma once
#include "maggi/conflict.hpp"
#include "start/start_attempt.hpp"

namespace maggi::integration {

/// The irreducible set behind an attempt that failed at `stage`, by deletion: a member whose absence does not help is
/// left out, until the absence of every one that is left makes the search succeed.
Conflict find_conflict(const System& system, Workspace& w, const Start& start, const Demands& demands, Stage stage);

}  // namespace maggi::integration
