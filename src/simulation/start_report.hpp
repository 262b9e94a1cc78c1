#pragma once
#include <optional>

#include "maggi/simulation.hpp"
#include "simulation/start_results.hpp"
#include "start/assemblies.hpp"

namespace maggi {

/// The start with what belongs to it. `random_starts`: how many random points are tried to find the assembly
/// configurations; 0: they are not looked for.
struct StartReport {
  StartReport(Simulation& simulation, int random_starts);

  const Shape& shape;
  const InitialConditions& start;
  Matrix undetermined;                ///< see undetermined_multipliers()
  std::vector<std::string> contacts;  ///< see contact_states()
  StartResults results;
  std::optional<Assemblies> assemblies;
};

}  // namespace maggi
