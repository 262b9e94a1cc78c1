#include "simulation/certificate.hpp"

namespace maggi {

Certificate certify(Dynamics& dynamics, const State& start) {
  Certificate result;
  if (const auto* mechanism = dynamic_cast<const MechanismSystem*>(&dynamics.system())) {
    result.all_joints = mechanism->absolute_twin();
    result.found = find_redundancy_of_joints(*result.all_joints, mechanism->absolute(start), dynamics, start);
  } else {
    result.found = find_redundancy(dynamics, start);
  }
  return result;
}

}  // namespace maggi
