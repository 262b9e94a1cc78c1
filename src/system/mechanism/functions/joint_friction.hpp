#pragma once
#include "system/mechanism/functions/formula_writer.hpp"

namespace maggi::mechanism {

/// How a joint slides on itself; N is the length of the forces that it bears.
///
///     prismatic, point on a line     along the axis
///     revolute                       about the pin, r ω;  universal: about each of its two pins
///     cylindrical                    (along the axis, r ω)
///     screw                          along the thread;  N is normal to its flank
///     spherical                      r (ω_x, ω_y, ω_z)
///     planar, point on a plane       in the plane;  planar with a radius: r ω besides
template <class Real>
void write_friction(const DrawnJointOver<Real>& joint, const JointFriction& friction, FormulaWriterOver<Real>& out);

}  // namespace maggi::mechanism
