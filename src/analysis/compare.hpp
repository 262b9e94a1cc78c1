#pragma once
#include "integration/sink/options.hpp"
#include "maggi/comparison.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/initial_conditions.hpp"

namespace maggi {

/// From a consistent start of the system; `integrate`: of the motion, in the place of options.motion. Methods that
/// refuse have a row with the reason.
/// Error (model) if a name is unknown, no method is left or the options of the run do not fit.
Comparison compare(const System& system, const InitialConditions& start, const CompareOptions& options,
                   const IntegrateOptions& integrate);

}  // namespace maggi
