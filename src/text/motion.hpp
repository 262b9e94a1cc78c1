#pragma once
#include <string>

#include "maggi/motion.hpp"
#include "text/table.hpp"

namespace maggi::text {

/// The run in a few lines, name and text.
Table facts(const Motion& motion);

/// Channels that the motion does not have because they are not unique, in one line; empty if there are none.
std::string omitted_note(const Motion& motion);

}  // namespace maggi::text
