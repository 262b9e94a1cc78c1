#pragma once
#include <string>
#include <vector>

#include "system/mechanism/reference/drawing.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// The first spring, distance or driven distance whose two points are closer than `within` times their distance in the
/// reference configuration, where the direction between them is not defined; none if all are apart.
std::optional<MechanismSystem::MeetingEnds> find_meeting_ends(const Drawing& drawing,
                                                              const std::vector<MechanismSystem::Placement>& now,
                                                              double within);

}  // namespace maggi::mechanism
