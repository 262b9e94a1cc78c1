#pragma once
#include <array>
#include <string>
#include <vector>

#include "maggi/model/formula.hpp"

namespace maggi {

/// A point or a direction: 3 numbers, 2 in planar models; in the world frame, as drawn. Empty if it was not given.
struct Triple {
  std::vector<Formula> values;
  Where where{};
  bool given() const { return !values.empty(); }
};

/// A named point of a body.
struct Marker {
  std::string name;
  Triple at;
  Where where{};
};

/// A rigid body. Its frame lies in its mass centre; the axes are those of the world in the drawing, unless it is
/// turned.
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
};
inline constexpr int joint_types = 12;

/// "revolute", "point_on_line": the key that makes a joint.
std::string_view joint_type_name(JointType type);

/// A value of a joint coordinate at the start.
struct JointValue {
  std::string component;  ///< "angle" of "hinge.angle"; empty: the only one
  Formula value;
  Where where{};
};

/// A joint between two bodies, or a body and the ground; points and directions as drawn.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::array<Reference, 2> bodies{};
  Triple at{};           ///< the joint; of a distance: its point on the first body
  Triple to{};           ///< of a distance: its point on the second body
  Triple axis{};         ///< of a planar or point_on_plane joint: the normal of the plane
  Triple second_axis{};  ///< of a universal joint, on the second body
  Formula pitch{};       ///< of a screw [m/rad]
  Formula length{};      ///< of a distance, if it is not as drawn [m]
  bool loop = false;     ///< close a loop here
  std::vector<JointValue> start{}, guess{}, speed{};
  Where where{};
};

/// A spring and damper between two points, and a force that is always there; a pull counts as positive.
struct Spring {
  std::string name;
  std::array<Reference, 2> bodies{};
  Triple from{}, to{};
  Formula stiffness{}, damping{}, force{};  ///< [N/m], [N s/m], [N]
  Formula length{};                         ///< without load [m]; default: as drawn
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

/// Bodies and joints as drawn.
struct Mechanism {
  int dimension = 3;  ///< 2: everything moves in the plane x, y
  Triple gravity{};   ///< [m/s²]
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Spring> springs;
  std::vector<JointForce> joint_forces;

  bool given() const { return !bodies.empty(); }
};

}  // namespace maggi
