#include "model/joint_rules.hpp"

namespace maggi {

bool exists_in_plane(JointType type) {
  switch (type) {
    case JointType::fixed:
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::free:
    case JointType::distance:
    case JointType::point_on_line:
    case JointType::rolling:
    case JointType::knife_edge: return true;
    case JointType::cylindrical:
    case JointType::screw:
    case JointType::universal:
    case JointType::spherical:
    case JointType::planar:
    case JointType::point_on_plane: return false;
  }
  return false;
}

bool needs_axis(JointType type, bool planar) {
  switch (type) {
    case JointType::prismatic:
    case JointType::point_on_line:
    case JointType::knife_edge: return true;
    case JointType::revolute:
    case JointType::cylindrical:
    case JointType::screw:
    case JointType::universal:
    case JointType::planar:
    case JointType::point_on_plane: return !planar;
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
    case JointType::distance:
    case JointType::rolling: return false;
  }
  return false;
}

}  // namespace maggi
