#pragma once

namespace maggi::integration {

/// Where the iteration for a start ends: the scaled residual relative to 1 + |x|. Below the tolerance one more step is
/// taken, which Newton's method needs to reach rounding; values that are below it from the beginning stay as they are.
constexpr double newton_tolerance = 1e-13;
constexpr double newton_rounding = 1e-15;    ///< no step can make it less
constexpr double newton_acceptable = 1e-10;  ///< where rounding stops the iteration earlier, this is still a solution
constexpr int newton_most_iterations = 60;

}  // namespace maggi::integration
