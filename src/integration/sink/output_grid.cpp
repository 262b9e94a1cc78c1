#include "integration/sink/output_grid.hpp"

#include <cmath>

namespace maggi::integration {

OutputGrid::OutputGrid(double from, double until, double spacing) : from_(from), until_(until), spacing_(spacing) {
  if (every_step() || until <= from) return;
  // 2 s in steps of 0.1 s are 20 intervals, although 2/0.1 may come out a rounding error above 20
  constexpr double slack = 1e-9;
  last_ = static_cast<long>(std::ceil(intervals(from, until, spacing) - slack));
  if (last_ < 1) last_ = 1;
}

}  // namespace maggi::integration
