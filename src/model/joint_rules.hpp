#pragma once
#include "maggi/mechanism.hpp"

namespace maggi {

bool exists_in_plane(JointType type);

/// Is the joint along, about or normal to an axis, which has to be given? In the plane turns need none.
bool needs_axis(JointType type, bool planar);

}  // namespace maggi
