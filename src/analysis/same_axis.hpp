#pragma once
#include <string>
#include <vector>

#include "system/seam/mechanism_system.hpp"

namespace maggi {

/// Two joints, one on the other, each with one coordinate, that move all bodies alike but the one between them: turning
/// one forth and the other back moves that body only. Mostly an axis that was meant to be another one.
struct SameAxis {
  std::string first, second, between;  ///< joints; body
};

/// At this configuration; velocities do not matter.
std::vector<SameAxis> find_same_axes(const MechanismSystem& mechanism, const State& at);

}  // namespace maggi
