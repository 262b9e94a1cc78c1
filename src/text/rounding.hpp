#pragma once
#include <string>

#include "maggi/expert/system.hpp"

namespace maggi::text {

/// What was found about rounded data, a paragraph each; nothing if no loop of joints needed a decision.
std::string rounding_text(const System& system);

/// "warning: ..." for each group of loops that would move with other data.
std::string lock_warnings(const System& system);

}  // namespace maggi::text
