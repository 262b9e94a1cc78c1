#pragma once
#include <string>
#include <vector>

#include "maggi/mechanism.hpp"
#include "system/mechanism/kinematics/linkage.hpp"

namespace maggi::mechanism {

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

/// A joint as a freedom (in the tree) and as constraints (where it closes a loop).
struct JointKind {
  std::vector<JointFreedom> freedoms;
  std::vector<JointRow> rows;
  bool in_tree = true;  ///< its freedoms can be coordinates
};

/// Planar joints slide along x of their frame and turn in the plane; spatial ones slide along and turn about z.
template <class Space>
JointKind joint_kind(JointType type);
template <>
JointKind joint_kind<Planar>(JointType type);
template <>
JointKind joint_kind<Spatial>(JointType type);
/// The numbers of a space decide nothing.
template <class Space>
JointKind joint_kind(JointType type) {
  return Space::axes == 2 ? joint_kind<Planar>(type) : joint_kind<Spatial>(type);
}

/// Units of what a freedom and a row measure.
std::string unit_of(Freedom freedom);
std::string unit_of(Holds holds);

}  // namespace maggi::mechanism
