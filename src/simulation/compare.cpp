#include "analysis/compare.hpp"

#include "simulation/stages.hpp"

namespace maggi {

Comparison Simulation::compare(const CompareOptions& options) {
  RunOptions motion = options.motion;
  if (!options.run && !model().simulation.until && !motion.until) motion.until = 0.0;  // there is no run that could end
  const Settings settings = stages_->settings(motion);
  Comparison result = maggi::compare(system(), start(), options, settings.integrate);
  result.title = title();
  return result;
}

}  // namespace maggi
