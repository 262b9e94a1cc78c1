#pragma once
#include "maggi/mechanism.hpp"

namespace maggi {

/// What each limit, friction, coupling, driver of a mechanism needs, and what excludes what in it.
void validate_parts(const Mechanism& mechanism);

}  // namespace maggi
