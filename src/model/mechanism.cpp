#include "maggi/mechanism.hpp"

namespace maggi {

std::vector<std::string> reaction_frame_names() { return {"world", "joint", "body"}; }

std::string_view joint_type_name(JointType type) {
  switch (type) {
    case JointType::fixed: return "fixed";
    case JointType::revolute: return "revolute";
    case JointType::prismatic: return "prismatic";
    case JointType::cylindrical: return "cylindrical";
    case JointType::screw: return "screw";
    case JointType::universal: return "universal";
    case JointType::spherical: return "spherical";
    case JointType::planar: return "planar";
    case JointType::free: return "free";
    case JointType::distance: return "distance";
    case JointType::point_on_line: return "point_on_line";
    case JointType::point_on_plane: return "point_on_plane";
    case JointType::rolling: return "rolling";
    case JointType::knife_edge: return "knife_edge";
  }
  return "";
}

}  // namespace maggi
