#pragma once
#include "model/numbers.hpp"
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// The point from which the numbers of a mechanism are counted: its first joint, if the mechanism is far away from the
/// origin of the model, so that what follows has the digits of its size and not of its distance; otherwise zero.
Vector3 origin_of(const Mechanism& mechanism, const Numbers& numbers);

}  // namespace maggi::mechanism
