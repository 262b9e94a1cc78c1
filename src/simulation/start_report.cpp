#include "simulation/start_report.hpp"

#include "results/multipliers.hpp"
#include "simulation/contact_states.hpp"

namespace maggi {

StartReport::StartReport(Simulation& simulation, int random_starts)
    : shape(simulation.system().shape()),
      start(simulation.start()),
      undetermined(undetermined_multipliers(simulation.dynamics(), start.state)),
      contacts(contact_states(simulation.system(), start.state, start.mode)),
      results(simulation) {
  if (random_starts > 0)
    assemblies = find_assemblies(simulation.dynamics(), simulation.system().start(), start.state, random_starts);
}

}  // namespace maggi
