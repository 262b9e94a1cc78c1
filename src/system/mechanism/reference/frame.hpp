#pragma once
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// Frame whose axis k is the unit vector e; the two others are as near to the world's as can be said without ambiguity.
template <class Real>
Matrix3Over<Real> frame_about(const Vector3Over<Real>& e, int k);

}  // namespace maggi::mechanism
