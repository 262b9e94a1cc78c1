#pragma once
#include <string>
#include <vector>

#include "maggi/outcome.hpp"

namespace maggi {

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0, projections = 0;
  long restarts = 0;                               ///< changes of the integrated variables: another basis or partition was chosen
  double largest_step = 0.0, smallest_step = 0.0;  ///< [s] of the accepted steps, the last one excepted
  double largest_correction = 0.0;                 ///< largest scaled residual that a projection removed
  double distance_to_singularity = 1.0;            ///< smallest over the run
};

/// How a run ended. A numerical outcome is a value, not an exception.
struct IntegrationResult {
  Outcome outcome = Outcome::reached_end;
  std::string explanation;  ///< in words and names, if the end was not reached
  double t = 0.0;           ///< how far it came [s]
  Statistics statistics;
  std::vector<EventRecord> events{};  ///< in the order of time
};

}  // namespace maggi
