#pragma once
#include <functional>
#include <limits>
#include <utility>

#include "integration/sink/options.hpp"
#include "integration/sink/output_grid.hpp"

namespace maggi::integration {

/// The times at which states are stored, one after the other: those of a grid, or those that options.next_output() asks
/// for while the run is under way.
class OutputTimes {
 public:
  OutputTimes(double from, const IntegrateOptions& options)
      : grid_(from, options.until, options.output), ask_(options.next_output), asked_(from) {}

  bool every_step() const { return !ask_ && grid_.every_step(); }
  double due() const {  ///< [s] the next one; ∞ if there is none
    if (ask_) return asked_;
    return next_ <= grid_.last() ? grid_[next_] : std::numeric_limits<double>::infinity();
  }
  void stored() {  ///< the state that was due has been stored
    if (ask_)
      asked_ = ask_(asked_);
    else
      ++next_;
  }

 private:
  OutputGrid grid_;
  std::function<double(double)> ask_;
  double asked_;
  long next_ = 0;
};

}  // namespace maggi::integration
