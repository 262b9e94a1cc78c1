#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "maggi/formula.hpp"

namespace maggi {

/// A point or a direction in the reference configuration: 3 numbers, 2 in planar models, in the world frame or in that
/// of a body; or the place of a marker. Empty if it was not given.
struct Triple {
  std::vector<Formula> values;
  Where where{};
  Reference frame{};  ///< "arm"; without values a marker, "arm.tip"; empty: the world
  bool given() const { return !values.empty() || !frame.name.empty(); }
};

/// A value of a coordinate of a joint, or of a body that floats, at the start.
struct JointValue {
  std::string component;  ///< "angle" of "hinge.angle"; "qw" of a rotation; empty: the only one
  Formula value;
  Where where{};
};

/// A named point of a body.
struct Marker {
  std::string name;
  Triple at;
  Where where{};
};

/// A rigid body. Its frame lies in its mass centre; the axes are those of the world in the drawing, turned with the
/// body if it is turned.
struct Body {
  std::string name;
  Formula mass{};                  ///< [kg]
  std::vector<Formula> inertia{};  ///< about the mass centre [kg m²]: 1 planar; 3 or 6 (xx, yy, zz, xy, xz, yz) spatial
  Triple position{};               ///< of the mass centre
  std::string shape{};             ///< instead of the inertia: "point", "rod", "box", "cylinder", "sphere", "disc"
  Where shape_where{};
  Formula density{};            ///< [kg/m³] (planar [kg/m²]), instead of the mass, of a shape that has a volume
  Triple from{}, to{};          ///< of a rod or cylinder: instead of the position
  std::vector<Formula> size{};  ///< of a box: its edges
  Formula radius{};             ///< of a cylinder, sphere, disc
  Triple axis{};                ///< about which the body is turned before it is drawn (spatial)
  Formula turned{};             ///< angle by which it is turned [rad]
  std::vector<Marker> markers{};
  std::vector<JointValue> start{}, guess{}, speed{};  ///< of a body that floats
  Where where{};
};

/// What a joint lets the second of its bodies do relative to the first.
enum class JointType {
  fixed,           ///< nothing
  revolute,        ///< turn about the axis
  prismatic,       ///< slide along the axis
  cylindrical,     ///< both
  screw,           ///< both, one pitch [m] a radian
  universal,       ///< turn about an axis of the first body, then about one of the second
  spherical,       ///< turn about a point
  planar,          ///< slide in a plane (normal to the axis) and turn about its normal
  free,            ///< anything
  distance,        ///< anything but change the distance of two points
  point_on_line,   ///< a point of the second body stays on a line of the first
  point_on_plane,  ///< a point of the second body stays on a plane of the first
  rolling,         ///< a disc of the second body rolls on a plane (a line) of the first without slip
  knife_edge,      ///< a point of the second body does not move along the axis, which the second body carries
};
inline constexpr int joint_types = 14;

/// "revolute", "point_on_line": the key that makes a joint.
std::string_view joint_type_name(JointType type);

/// What stops a joint coordinate: a spring and damper, or (no stiffness) something rigid.
struct JointLimit {
  std::string component{};   ///< empty: the only one
  Formula lower{}, upper{};  ///< empty: none
  Formula stiffness{}, damping{};
  Formula restitution{};  ///< of a rigid stop
  Where where{};
};

/// Dry friction along the coordinates of a joint, from its own reaction.
struct JointFriction {
  Formula coefficient{}, stiction{};
  Formula radius{};  ///< where it acts, if the joint turns [m]: of the pin, of the thread, of the ball
  Where where{};
};

/// A joint between two bodies, or a body and the ground; points and directions in the reference configuration.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::array<Reference, 2> bodies{};
  Triple at{};           ///< the joint; of a distance: its point on the first body
  Triple to{};           ///< of a distance: its point on the second body
  Triple axis{};         ///< of a planar or point_on_plane joint: the normal of the plane
  Triple second_axis{};  ///< of a universal joint, on the second body
  Triple normal{};       ///< of the plane on which a disc rolls; default: against gravity
  Formula pitch{};       ///< of a screw [m/rad]
  Formula length{};      ///< of a distance, if it is not that of the reference configuration [m]
  Formula radius{};      ///< of a rolling disc [m]; `at` is its centre, `axis` its axis, on the second body
  bool loop = false;     ///< close a loop here
  std::vector<JointValue> start{}, guess{}, speed{}, speed_guess{}, acceleration{};
  std::vector<JointValue> weight{}, speed_weight{};  ///< of changes of a guess
  std::vector<JointLimit> limits{};
  std::optional<JointFriction> friction{};
  Where where{};
};

/// A spring and damper between two points, and a force that is always there; a pull counts as positive.
struct Spring {
  std::string name;
  std::array<Reference, 2> bodies{};
  Triple from{}, to{};
  Formula stiffness{}, damping{}, force{};  ///< [N/m], [N s/m], [N]
  Formula length{};                         ///< without load [m]; default: that of the reference configuration
  Where where{};
};

/// Force of a motor, spring and damper along one coordinate of a joint.
struct JointForce {
  std::string name;
  Reference joint{};
  std::string component{};                  ///< empty: the only coordinate
  Formula stiffness{}, damping{}, force{};  ///< [N/m] or [N m/rad] ...; the force is positive along the coordinate
  Formula rest{};                           ///< value of the coordinate without load
  Where where{};
};

/// A force and a torque on a body.
struct BodyForce {
  std::string name;
  Reference body{};
  Triple at{};                   ///< where the force acts; default: the mass centre
  Triple force{}, torque{};      ///< formulas over time, joint coordinates, markers and their rates [N], [N m]
  bool turns_with_body = false;  ///< along the axes of the frame of the body, not of the world
  Where where{};
};

/// Springs and dampers along and about three axes that the first body carries.
struct Bushing {
  std::string name;
  std::array<Reference, 2> bodies{};
  Triple at{};
  Triple axis{};                                  ///< third of its axes; default: those of the world
  Triple stiffness{}, damping{};                  ///< along the axes [N/m], [N s/m]
  Triple torsion_stiffness{}, torsion_damping{};  ///< about them [N m/rad], [N m s/rad]; one number in the plane
  Where where{};
};

/// A linear relation of joint coordinates, Σ factor · coordinate = 0, of their values since the reference
/// configuration: gears, a rack and its pinion.
struct Coupling {
  struct Term {
    Reference coordinate{};  ///< "wheel" or "wheel.angle"
    Formula factor{};
  };
  std::string name;
  std::vector<Term> terms{};
  Where where{};
};

/// Prescribed motion: a joint coordinate, a marker or a distance follows a function of time.
struct Driver {
  std::string name;
  Reference coordinate{};               ///< of a joint: "crank", "crank.angle"; or
  Reference marker{};                   ///< "arm.tip"; or
  std::array<Reference, 2> distance{};  ///< of two bodies, between the points
  Triple from{}, to{};
  std::vector<Formula> follows{};  ///< one; for a marker one for each axis
  Where where{};
};

/// Along whose axes forces and torques of joints are given: those of the world, of the joint on its first body, or of
/// the frame of the body that they act on.
enum class ReactionFrame { world, joint, body };
std::vector<std::string> reaction_frame_names();  ///< in this order

/// Bodies and joints in the reference configuration.
struct Mechanism {
  // compiled once, instead of in each file that copies or destroys one
  Mechanism();
  Mechanism(const Mechanism&);
  Mechanism(Mechanism&&) noexcept;
  Mechanism& operator=(const Mechanism&);
  Mechanism& operator=(Mechanism&&) noexcept;
  ~Mechanism();

  int dimension = 3;  ///< 2: everything moves in the plane x, y
  Triple gravity{};   ///< [m/s²]
  ReactionFrame reaction_frame = ReactionFrame::world;
  Formula data_tolerance{};  ///< errors of points (as parts of the size of a loop) and of axes [rad] that are rounding
  bool repair = true;        ///< of rounded data, so that loops which move within the tolerance move exactly
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Spring> springs;
  std::vector<JointForce> joint_forces;
  std::vector<BodyForce> body_forces;
  std::vector<Bushing> bushings;
  std::vector<Coupling> couplings;
  std::vector<Driver> drivers;

  bool given() const { return !bodies.empty(); }
};

}  // namespace maggi
