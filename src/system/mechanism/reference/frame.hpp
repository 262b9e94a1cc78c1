#pragma once
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// Frame whose axis k is the unit vector e; the two others are as near to the world's as can be said without ambiguity.
Matrix3 frame_about(const Vector3& e, int k);

}  // namespace maggi::mechanism
