#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/mechanism.hpp"

namespace maggi::mechanism {

/// How a link moves relative to its parent, along the axes of the frame in which it is joined to it.
enum class Freedom { none, slide, turn, ball };

/// One simple freedom of a joint, from its first body to its second, and what its coordinate is called.
struct JointFreedom {
  Freedom freedom;
  int axis;               ///< of the joint frame
  std::string component;  ///< "angle" of "hinge.angle"
};

/// What a scalar constraint of a joint compares; A is the joint frame on the first body, B that on the second.
enum class Holds : unsigned char {
  along,  ///< position of B along an axis of A                              f = e · (p_B − p_A)
  about,  ///< rotation of B against A, 2 tan(θ/2) of all of it              f = e · 2 tan(θ/2) u
  tilt,   ///< the same of the axis z alone                                  f = 2 e · (z_A × z_B) / (1 + z_A · z_B)
  cross,  ///< axis y of B stays normal to axis x of A                       f = −x_A · y_B
  distance,  ///< distance of the origins                                       f = |p_B − p_A| − l
  thread,    ///< advance along z belongs to the turn θ about it, on any thread f = z_A · (p_B − p_A) − pitch θ
  // what is rolled on: the plane through A normal to its axis z (in the plane: the line along x), c the contact
  ball_height,  ///< of a ball (in the plane: a disc) about B                   f = n · (p_B − p_A) − r
  disc_height,  ///< of a thin disc about B with the axis e = z_B               f = n · (p_B − p_A) − r |n − (n·e) e|
  // rates of no coordinate
  ball_slip,      ///< of the ball in c along an axis of A
  disc_slip,      ///< of the disc in c: 0 along its track t = n × e, 1 across it, n × t
  turning,        ///< angular velocity of B against A about an axis of A
  carried_along,  ///< velocity of B against A along an axis of B
  carried_about,  ///< angular velocity of B against A about an axis of B
};

/// 2 tan(θ/2) and not sin θ: it is not zero again at 180°, so that no joint closes the wrong way round.
struct JointRow {
  Holds holds;
  int axis;
  std::string component;  ///< "x" of "pin.x"
};

/// A joint as a freedom (in the tree) and as constraints (where it closes a loop). Planar joints slide along x of their
/// frame and turn in the plane; spatial ones slide along and turn about z.
struct JointKind {
  std::vector<JointFreedom> freedoms;
  std::vector<JointRow> rows;
  bool in_tree = true;  ///< its degrees of freedom can be coordinates
};

/// Which parts of a joint rub on each other where it has friction; joint_friction.cpp writes the laws.
enum class Rubs {
  nothing,
  pin,             ///< a pin turns in its bearing; its radius is needed
  guide,           ///< slides along the axis
  pin_and_guide,   ///< both at once
  thread,          ///< slides up a thread; its radius is needed
  cross,           ///< two pins
  ball,            ///< a ball turns in its socket; its radius is needed
  point_on_plane,  ///< slides in a plane
  plate_on_plane,  ///< slides and turns in a plane; a radius makes the turning rub, too
};

/// Everything that is to be known of a joint type. To add one, add its entry.
struct JointEntry {
  enum class Axis {
    none,
    needed,
    in_space,  ///< needed in space; in the plane it turns about the normal of the plane
    optional,  ///< in space
  };
  /// Keys of the file that only some joints have, beside those that all have.
  struct Keys {
    bool second_axis = false;  ///< needed; the joint frame has the axes as its first and second
    bool to = false;           ///< needed, a second point; `length` may be given
    bool pitch = false;        ///< needed
    bool radius = false;       ///< needed; `normal` may be given
  };
  /// Constraints on velocities besides those of the kind.
  enum class OnRates {
    none,
    rolling,     ///< no slip in the contact, and the height above the plane
    knife_edge,  ///< no velocity along the axis, which the second body carries
  };

  JointType type;
  Axis axis = Axis::none;
  Keys keys{};
  std::optional<JointKind> planar{}, spatial{};  ///< none: it does not exist there
  OnRates on_rates = OnRates::none;
  Rubs rubs = Rubs::nothing;
  bool holds_point = false;        ///< it keeps a point of one body at a point of the other, and is drawn on both
  const char* drawn_as = nullptr;  ///< the symbol in viewer/src/shapes.ts; otherwise that of its name, or a ball

  std::string_view name() const { return joint_type_name(type); }  ///< the key that makes it
  const std::optional<JointKind>& kind(bool in_plane) const { return in_plane ? planar : spatial; }
  bool needs_axis(bool in_plane) const { return axis == Axis::needed || (axis == Axis::in_space && !in_plane); }
  bool may_have_axis(bool in_plane) const { return needs_axis(in_plane) || (axis == Axis::optional && !in_plane); }
  std::string_view symbol() const { return drawn_as ? drawn_as : name(); }
};

std::span<const JointEntry> joint_entries();
const JointEntry& entry_of(JointType type);

}  // namespace maggi::mechanism
