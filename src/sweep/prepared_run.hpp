#pragma once
#include "dynamics/dynamics.hpp"
#include "integration/settings.hpp"
#include "model/adjustable.hpp"
#include "sweep/design.hpp"
#include "sweep/measure.hpp"
#include "sweep/run_numbers.hpp"
#include "sweep/with_numbers.hpp"

namespace maggi::sweep {

/// The quantities of the axes in a model, in their order.
std::vector<Adjustable> varied(Model& model, const Design& design);

/// How a run is made.
struct RunSettings {
  Settings settings;          ///< its stored states no more than the measures need
  std::vector<double> times;  ///< of the measures
};

/// Equations derived once for all runs.
struct SharedFormulas {
  std::unique_ptr<const EquationSystem> system;
  int rank;                                    ///< of the constraints at the start of run 0, where nothing is hidden
  std::optional<RunNumbers> numbers{};         ///< of all runs; none: each reads them from the model
  std::optional<RunSettings> settings{};       ///< of all runs, where there are numbers
  std::optional<IntegrateOptions> in_lanes{};  ///< of the runs that are computed eight at a time
};

/// A run at its consistent start.
struct PreparedRun : RunSettings {
  std::unique_ptr<System> system;
  std::unique_ptr<Dynamics> dynamics;
  State start;
  const WithNumbers* shared = nullptr;  ///< the system, if it shares the formulas of the sweep
};

/// With the numbers that `model` has by now; `shared` may be none. Error as find_initial_conditions().
PreparedRun prepare(const Model& model, const std::vector<Measure>& measures, const SharedFormulas* shared);

/// With these numbers; nothing if the constraints have another rank than in run 0.
std::optional<PreparedRun> prepare(const RunNumbers::Values& values, const SharedFormulas& shared);

}  // namespace maggi::sweep
