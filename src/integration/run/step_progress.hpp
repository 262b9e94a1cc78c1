#pragma once
#include <algorithm>

#include "integration/sink/result.hpp"

namespace maggi::integration {

/// Counts accepted steps, and those in a row that are so small that the run would not come to an end.
class StepProgress {
 public:
  /// A step of size h; `last`: it ends the run, and its size says nothing. Returns true if it is too small.
  bool count(double h, bool last, double too_small, Statistics& statistics) {
    if (++statistics.steps == 1)
      statistics.largest_step = statistics.smallest_step = h;
    else if (!last)
      statistics.largest_step = std::max(statistics.largest_step, h),
      statistics.smallest_step = std::min(statistics.smallest_step, h);
    tiny_steps_ = h < too_small && !last ? tiny_steps_ + 1 : 0;
    tiny_time_ = tiny_steps_ == 0 ? 0.0 : tiny_time_ + h;
    return tiny_steps_ > 0;
  }

  bool stalled() const { return tiny_steps_ > max_tiny_steps; }
  double mean_step() const { return tiny_time_ / tiny_steps_; }  ///< [s] of the tiny steps

 private:
  static constexpr int max_tiny_steps = 1000;  // the first steps of a run may be tiny, but not so many

  int tiny_steps_ = 0;
  double tiny_time_ = 0.0;
};

}  // namespace maggi::integration
