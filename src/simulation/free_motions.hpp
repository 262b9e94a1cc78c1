#pragma once
#include <string>
#include <vector>

#include "maggi/simulation.hpp"

namespace maggi {

/// What the constraints leave free, to be seen: there and back from the start along one of the independent velocities
/// of the mobility analysis, the others at rest.
///
///     C v = 0,  v_i = 1,  v_j = 0 for the other independent ones;    time stands still, speeds and forces have no part
struct FreeMotion {
  std::string name;                          ///< of the coordinate
  std::vector<double> times;                 ///< [s] a cycle of two seconds
  std::vector<std::vector<double>> drawing;  ///< at each time
};

/// The first few; none if nothing is drawn.
std::vector<FreeMotion> find_free_motions(Simulation& simulation);

}  // namespace maggi
