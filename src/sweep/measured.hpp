#pragma once
#include "integration/sink/result.hpp"
#include "maggi/sweep/measure.hpp"
#include "maggi/sweep/run_result.hpp"
#include "results/trajectory.hpp"

namespace maggi::sweep {

constexpr double same_time = 1e-9;  ///< of a run: times closer than that are the same

/// The channel of a measure; Error with the reason if it is missing.
int find_channel(const Trajectory& trajectory, const Measure& measure);

/// The last values of the outputs, or of the coordinates if there are none.
std::vector<Measure> usual_measures(const Trajectory& trajectory);

/// What is kept of a run that ended like this, or why nothing is. `times`: of the measures; `until`: of the run.
RunResult measured(std::uint64_t index, const std::vector<Measure>& measures, const std::vector<double>& times,
                   double until, const Trajectory& trajectory, const IntegrationResult& run);

}  // namespace maggi::sweep
