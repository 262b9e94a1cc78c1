#pragma once
#include <vector>

#include "start/initial_conditions.hpp"

namespace maggi {

/// A way to put the mechanism together.
struct Assembly {
  Vector q;
  double residual = 0.0;  ///< largest |f| / ‖row of C‖
  int hits = 0;           ///< so many of the starts led here
};

/// The configurations that agree with a start in all values that can be chosen, and satisfy the position constraints.
struct Assemblies {
  std::vector<int> dependent;  ///< coordinates that differ
  std::vector<bool> periodic;  ///< n_q: the constraints do not change when 2π is added; such configurations count once
  std::vector<Assembly> found;  ///< first that of the start, then in the order in which they were found
  int starts = 0;               ///< how many random points were tried
  int hits = 0;                 ///< how many of them led to a solution
};

/// Looks for assemblies from random points, always the same ones: over a turn for angles, otherwise over four times the
/// size of the configuration. There may be others; one that was hit once says that there probably are.
Assemblies find_assemblies(Dynamics& dynamics, const Start& start, const State& at, int starts = 256);

}  // namespace maggi
