#pragma once

namespace maggi::integration {

/// Where the iteration for a start ends: the scaled residual relative to 1 + |x|.
constexpr double newton_tolerance = 1e-13;   ///< what double precision can hold
constexpr double newton_acceptable = 1e-10;  ///< where rounding stops the iteration earlier, this is still a solution
constexpr int newton_most_iterations = 60;

}  // namespace maggi::integration
