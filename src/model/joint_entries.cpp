#include "model/joint_entries.hpp"

#include <algorithm>
#include <cassert>

namespace maggi::mechanism {

namespace {

using Axis = JointEntry::Axis;
using OnRates = JointEntry::OnRates;

std::vector<JointEntry> list_joints() {
  const JointRow x{Holds::along, 0, "x"}, y{Holds::along, 1, "y"}, z{Holds::along, 2, "z"};
  const JointRow turn_x{Holds::about, 0, "turn_x"}, turn_y{Holds::about, 1, "turn_y"},
      turn_z{Holds::about, 2, "turn_z"};
  const JointRow tilt_x{Holds::tilt, 0, "turn_x"}, tilt_y{Holds::tilt, 1, "turn_y"};
  const JointRow length{Holds::distance, 0, "length"};
  const JointFreedom slide{Freedom::slide, 2, "distance"}, turn{Freedom::turn, 2, "angle"};
  const JointFreedom slide_x{Freedom::slide, 0, "x"}, slide_y{Freedom::slide, 1, "y"}, slide_z{Freedom::slide, 2, "z"};
  const JointFreedom ball{Freedom::ball, 0, ""};
  // in the plane
  const JointFreedom slide_in_plane{Freedom::slide, 0, "distance"}, turn_in_plane{Freedom::turn, 0, "angle"};
  const JointRow normal{Holds::along, 1, "normal"}, angle{Holds::about, 0, "turn"};
  // rows of these are formulas over rates, see JointEntry::OnRates
  const JointKind formulas{{}, {}, false};

  return {
      {.type = JointType::fixed,
       .planar = JointKind{{}, {x, y, angle}},
       .spatial = JointKind{{}, {x, y, z, turn_x, turn_y, turn_z}},
       .holds_point = true},
      {.type = JointType::revolute,
       .axis = Axis::in_space,
       .planar = JointKind{{turn_in_plane}, {x, y}},
       .spatial = JointKind{{turn}, {x, y, z, tilt_x, tilt_y}},
       .rubs = Rubs::pin,
       .holds_point = true},
      {.type = JointType::prismatic,
       .axis = Axis::needed,
       .planar = JointKind{{slide_in_plane}, {normal, angle}},
       .spatial = JointKind{{slide}, {x, y, turn_x, turn_y, turn_z}},
       .rubs = Rubs::guide},
      {.type = JointType::cylindrical,
       .axis = Axis::in_space,
       .spatial = JointKind{{slide, turn}, {x, y, tilt_x, tilt_y}},
       .rubs = Rubs::pin_and_guide},
      {.type = JointType::screw,
       .axis = Axis::in_space,
       .keys = {.pitch = true},
       .spatial = JointKind{{turn}, {x, y, tilt_x, tilt_y, {Holds::thread, 2, "thread"}}},
       .rubs = Rubs::thread},
      {.type = JointType::universal,
       .axis = Axis::in_space,
       .keys = {.second_axis = true},
       .spatial = JointKind{{{Freedom::turn, 0, "angle_1"}, {Freedom::turn, 1, "angle_2"}},
                            {x, y, z, {Holds::cross, 2, "turn_z"}}},
       .rubs = Rubs::cross,
       .holds_point = true},
      {.type = JointType::spherical, .spatial = JointKind{{ball}, {x, y, z}}, .rubs = Rubs::ball, .holds_point = true},
      {.type = JointType::planar,
       .axis = Axis::in_space,
       .spatial = JointKind{{slide_x, slide_y, turn}, {z, tilt_x, tilt_y}},
       .rubs = Rubs::plate_on_plane},
      {.type = JointType::free,
       .planar = JointKind{{slide_x, slide_y, turn_in_plane}, {}},
       .spatial = JointKind{{slide_x, slide_y, slide_z, ball}, {}}},
      {.type = JointType::distance,
       .keys = {.to = true},
       .planar = JointKind{{}, {length}, false},
       .spatial = JointKind{{}, {length}, false}},
      {.type = JointType::point_on_line,
       .axis = Axis::needed,
       .planar = JointKind{{slide_in_plane, turn_in_plane}, {normal}},
       .spatial = JointKind{{slide, ball}, {x, y}},
       .rubs = Rubs::guide},
      {.type = JointType::point_on_plane,
       .axis = Axis::in_space,
       .spatial = JointKind{{slide_x, slide_y, ball}, {z}},
       .rubs = Rubs::point_on_plane},
      {.type = JointType::rolling,
       .axis = Axis::optional,
       .keys = {.radius = true},
       .planar = formulas,
       .spatial = formulas,
       .on_rates = OnRates::rolling},
      {.type = JointType::knife_edge,
       .axis = Axis::needed,
       .planar = formulas,
       .spatial = formulas,
       .on_rates = OnRates::knife_edge},
  };
}

}  // namespace

std::span<const JointEntry> joint_entries() {
  static const std::vector<JointEntry> all = list_joints();
  assert(all.size() == joint_types);
  return all;
}

const JointEntry& entry_of(JointType type) { return *std::ranges::find(joint_entries(), type, &JointEntry::type); }

}  // namespace maggi::mechanism
