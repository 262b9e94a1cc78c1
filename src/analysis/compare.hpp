#pragma once
#include "analysis/comparison.hpp"
#include "maggi/expert/system.hpp"

namespace maggi {

/// From the consistent start of the system. Methods that refuse have a row with the reason.
/// Error (model) if a name is unknown, no method is left or the options of the run do not fit; Error (numerics) if
/// there is no consistent start.
Comparison compare(const System& system, const CompareOptions& options = {});

}  // namespace maggi
