#include "simulation/start_report.hpp"

#include "results/multipliers.hpp"

namespace maggi {

StartReport::StartReport(Simulation& simulation, int random_starts)
    : shape(simulation.system().shape()),
      start(simulation.start()),
      undetermined(undetermined_multipliers(simulation.dynamics(), start.state)) {
  if (random_starts > 0)
    assemblies = find_assemblies(simulation.dynamics(), simulation.system().start(), start.state, random_starts);
}

}  // namespace maggi
