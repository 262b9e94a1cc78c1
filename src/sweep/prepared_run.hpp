#pragma once
#include "dynamics/dynamics.hpp"
#include "integration/settings.hpp"
#include "maggi/simulation.hpp"
#include "maggi/sweep/design.hpp"
#include "maggi/sweep/measure.hpp"
#include "sweep/run_numbers.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::sweep {

/// How a run is made.
struct RunSettings {
  Settings settings;          ///< its stored states no more than the measures need
  std::vector<double> times;  ///< of the measures
};

/// Equations derived once for all runs.
struct SharedFormulas {
  std::shared_ptr<const EquationSystem> system;
  int rank;                                    ///< of the constraints at the start of run 0, where nothing is hidden
  std::optional<RunNumbers> numbers{};         ///< of all runs; none: each reads them from the model
  std::optional<RunSettings> settings{};       ///< of all runs, where there are numbers
  std::optional<IntegrateOptions> in_lanes{};  ///< of the runs that are computed eight at a time
};

/// A run at its consistent start.
struct PreparedRun : RunSettings {
  std::shared_ptr<const EquationSystem> own_system;  ///< of a run by numbers; otherwise the simulation has them
  std::unique_ptr<Dynamics> own_dynamics;
  const System* system = nullptr;
  Dynamics* dynamics = nullptr;
  State start;
  const EquationSystem* shared = nullptr;  ///< the system, if it shares the formulas of the sweep
};

/// Gives a simulation the numbers of a run.
void set_numbers(Simulation& simulation, const Design& design, std::uint64_t run);

/// With the numbers that the simulation has, which must stay as it is as long as the run is used; `shared` may be none.
/// Error as Simulation::start().
PreparedRun prepare(Simulation& simulation, const std::vector<Measure>& measures, const SharedFormulas* shared);

/// With these numbers; nothing if the constraints have another rank than in run 0.
std::optional<PreparedRun> prepare(const RunNumbers::Values& values, const SharedFormulas& shared);

}  // namespace maggi::sweep
