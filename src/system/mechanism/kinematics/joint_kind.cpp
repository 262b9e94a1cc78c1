#include "system/mechanism/kinematics/joint_kind.hpp"

namespace maggi::mechanism {

namespace {

const JointRow x{Holds::along, 0, "x"}, y{Holds::along, 1, "y"}, z{Holds::along, 2, "z"};
const JointRow turn_x{Holds::about, 0, "turn_x"}, turn_y{Holds::about, 1, "turn_y"}, turn_z{Holds::about, 2, "turn_z"};
const JointRow tilt_x{Holds::tilt, 0, "turn_x"}, tilt_y{Holds::tilt, 1, "turn_y"};

}  // namespace

template <>
JointKind joint_kind<Planar>(JointType type) {
  const JointFreedom slide{Freedom::slide, 0, "distance"}, turn{Freedom::turn, 0, "angle"};
  const JointRow normal{Holds::along, 1, "normal"}, angle{Holds::about, 0, "turn"};
  switch (type) {
    case JointType::fixed: return {{}, {x, y, angle}};
    case JointType::revolute: return {{turn}, {x, y}};
    case JointType::prismatic: return {{slide}, {normal, angle}};
    case JointType::free: return {{{Freedom::slide, 0, "x"}, {Freedom::slide, 1, "y"}, turn}, {}};
    case JointType::distance: return {{}, {{Holds::distance, 0, "length"}}, false};
    case JointType::point_on_line: return {{slide, turn}, {normal}};
    case JointType::rolling: return {{}, {}, false};
    case JointType::knife_edge: return {{}, {}, false};
    default: return {{}, {}, false};  // needs the third dimension
  }
}

template <>
JointKind joint_kind<Spatial>(JointType type) {
  const JointFreedom slide{Freedom::slide, 2, "distance"}, turn{Freedom::turn, 2, "angle"};
  const JointFreedom slide_x{Freedom::slide, 0, "x"}, slide_y{Freedom::slide, 1, "y"}, slide_z{Freedom::slide, 2, "z"};
  const JointFreedom ball{Freedom::ball, 0, ""};
  switch (type) {
    case JointType::fixed: return {{}, {x, y, z, turn_x, turn_y, turn_z}};
    case JointType::revolute: return {{turn}, {x, y, z, tilt_x, tilt_y}};
    case JointType::prismatic: return {{slide}, {x, y, turn_x, turn_y, turn_z}};
    case JointType::cylindrical: return {{slide, turn}, {x, y, tilt_x, tilt_y}};
    case JointType::screw: return {{turn}, {x, y, tilt_x, tilt_y, {Holds::thread, 2, "thread"}}};
    case JointType::universal:
      return {{{Freedom::turn, 0, "angle_1"}, {Freedom::turn, 1, "angle_2"}}, {x, y, z, {Holds::cross, 2, "turn_z"}}};
    case JointType::spherical: return {{ball}, {x, y, z}};
    case JointType::planar: return {{slide_x, slide_y, turn}, {z, tilt_x, tilt_y}};
    case JointType::free: return {{slide_x, slide_y, slide_z, ball}, {}};
    case JointType::distance: return {{}, {{Holds::distance, 0, "length"}}, false};
    case JointType::point_on_line: return {{slide, ball}, {x, y}};
    case JointType::point_on_plane: return {{slide_x, slide_y, ball}, {z}};
    case JointType::rolling: return {{}, {}, false};  // its rows are formulas over rates
    case JointType::knife_edge: return {{}, {}, false};
  }
  return {};
}

std::string unit_of(Freedom freedom) { return freedom == Freedom::slide ? "m" : "rad"; }

std::string unit_of(Holds holds) {
  switch (holds) {
    case Holds::about:
    case Holds::tilt:
    case Holds::cross:
    case Holds::turning:
    case Holds::carried_about: return "rad";
    default: return "m";
  }
}

}  // namespace maggi::mechanism
