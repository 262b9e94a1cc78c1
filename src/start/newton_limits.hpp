#pragma once
#include <cmath>
#include <limits>
#include <utility>

namespace maggi::integration {

/// Where the iteration for a start ends: the scaled residual relative to 1 + |x|.
constexpr double newton_tolerance = 1e-13;
constexpr double newton_rounding = 1e-15;    ///< no step can make it less
constexpr double newton_acceptable = 1e-10;  ///< where rounding stops the iteration earlier, this is still a solution
constexpr int newton_most_iterations = 60;

/// Below the tolerance one more step is taken where it converges quadratically: then it ends at rounding. At a double
/// root a step leaves a quarter of the residual. Values below the tolerance from the beginning stay as they are.
class LastStep {
 public:
  void note(double residual) { before_ = residual; }  ///< before a step
  bool is_done(double residual, double size) {
    constexpr double quadratic = 1e-2;  // of the residual before
    const bool converges = std::isfinite(before_) && residual <= quadratic * before_;
    return std::exchange(taken_, true) || !converges || residual <= newton_rounding * size;
  }

 private:
  double before_ = std::numeric_limits<double>::infinity();
  bool taken_ = false;
};

}  // namespace maggi::integration
