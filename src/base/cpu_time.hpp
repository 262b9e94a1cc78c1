#pragma once
#include <ctime>

namespace maggi {

/// CPU time of this process so far [s].
inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace maggi
