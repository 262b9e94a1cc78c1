#pragma once
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "maggi/model.hpp"

namespace maggi {

enum class Dimension { planar = 2, spatial = 3 };
inline constexpr Dimension planar = Dimension::planar, spatial = Dimension::spatial;

/// A number or a formula over the parameters: 0, 0.5, "l/2".
class Number : public Formula {
 public:
  using Formula::Formula;
  Number() = default;
  Number(Formula formula) : Formula(std::move(formula)) {}          // NOLINT(google-explicit-constructor): as Formula
  template <std::integral Integer>                                  // a 0 could be a null pointer for Formula
  Number(Integer number) : Formula(static_cast<double>(number)) {}  // NOLINT
};

/// A point or a direction in the reference configuration: {x, y} or {x, y, z}, numbers or formulas over the parameters,
/// along the axes of the world; what BodyHandle::at() and BodyHandle::marker() give is in the frame of a body.
class Point {
 public:
  Point() = default;  ///< not given
  Point(Number x, Number y) : triple_{{std::move(x), std::move(y)}} {}
  Point(Number x, Number y, Number z) : triple_{{std::move(x), std::move(y), std::move(z)}} {}
  explicit Point(Triple triple) : triple_(std::move(triple)) {}

  const Triple& triple() const { return triple_; }

 private:
  Triple triple_;
};

// Bodies by their shape. Without a mass they have the density that BodyHandle::density() gives them.
Body rod(const Point& from, const Point& to, Number mass);                           ///< thin
Body cylinder(const Point& from, const Point& to, Number radius, Number mass = {});  ///< spatial
Body sphere(const Point& centre, Number radius, Number mass = {});                   ///< spatial
Body disc(const Point& centre, Number radius, Number mass = {});                     ///< planar
Body box(const Point& centre, const std::vector<Number>& edges, Number mass = {});   ///< one edge for each axis
Body point_mass(const Point& at, Number mass);
/// By its inertia about the mass centre: one number in the plane; 3 or 6 (xx, yy, zz, xy, xz, yz) in space.
Body rigid_body(const Point& centre, Number mass, const std::vector<Number>& inertia);

/// What a spring and damper between two points does; a pull counts as positive.
struct SpringLaw {
  Number stiffness{}, damping{}, force{};  ///< [N/m], [N s/m], [N]
  Number length{};                         ///< without load [m]; default: as in the reference configuration
};

/// What a motor, spring and damper does along a coordinate of a joint.
struct JointLaw {
  Number stiffness{}, damping{},
      force{};    ///< the force (a torque, if the joint turns) is positive along the coordinate
  Number rest{};  ///< value of the coordinate without load
};

/// A force and a torque on a body, by their components.
struct BodyLoad {
  std::vector<Number> force{}, torque{};  ///< formulas over time, joint coordinates, markers and their rates
  Point at{};                             ///< default: the mass centre
  bool turns_with_body = false;
};

/// Springs and dampers along and about three axes; about the only axis of the plane one number.
struct BushingLaw {
  std::vector<Number> stiffness{}, damping{}, torsion_stiffness{}, torsion_damping{};
  Point axis{};  ///< third of its axes; default: those of the world
};

class MechanismBuilder;

/// A body of a builder, which it must not outlive.
class BodyHandle {
 public:
  const std::string& name() const { return name_; }
  operator Reference() const { return {name_}; }  // NOLINT(google-explicit-constructor): joints name their bodies

  Point at(Number x, Number y) const;  ///< in the frame of the body
  Point at(Number x, Number y, Number z) const;
  Point centre() const;

  /// A named point of the body: its position is an output, and joints, forces and drivers may use it.
  Point marker(const std::string& name, const Point& at);
  BodyHandle& density(Number density);                       ///< instead of the mass
  BodyHandle& turned(Number angle, const Point& axis = {});  ///< the axis in space only

 private:
  friend class MechanismBuilder;
  BodyHandle(MechanismBuilder& owner, std::size_t index, std::string name)
      : owner_(&owner), index_(index), name_(std::move(name)) {}

  MechanismBuilder* owner_;
  std::size_t index_;
  std::string name_;
};

/// A joint of a builder, which it must not outlive. A coordinate is called by its component, "angle" of "hinge.angle";
/// the only one of a joint needs no name.
class JointHandle {
 public:
  const std::string& name() const { return name_; }
  operator Reference() const { return {name_}; }  // NOLINT(google-explicit-constructor): forces name their joint

  JointHandle& start(Number value, const std::string& component = "");  ///< kept as it is
  JointHandle& guess(Number value, const std::string& component = "");  ///< where the search begins
  JointHandle& speed(Number value, const std::string& component = "");
  JointHandle& limits(JointLimit limit);          ///< { .lower = -1, .upper = 1, .restitution = 0.5 }
  JointHandle& friction(JointFriction friction);  ///< { .coefficient = 0.2, .radius = 0.01 }
  JointHandle& loop();                            ///< a loop is closed here
  JointHandle& length(Number length);             ///< of a distance that is not as in the reference configuration
  JointHandle& normal(const Point& direction);    ///< of the plane on which a disc or a ball rolls

 private:
  friend class MechanismBuilder;
  JointHandle(MechanismBuilder& owner, std::size_t index, std::string name)
      : owner_(&owner), index_(index), name_(std::move(name)) {}
  Joint& given();

  MechanismBuilder* owner_;
  std::size_t index_;
  std::string name_;
};

/// Builds the same model from bodies and joints as a file does, with the same names, rules and errors.
///
///     MechanismBuilder m(planar);
///     m.gravity({0, -9.81});
///     BodyHandle crank = m.body("crank", rod({0, 0}, {0.3, 0}, 0.5));
///     m.revolute("pin", m.ground(), crank, {0, 0}).speed(6);
///     const Model model = m.model();
///
/// Numbers may be formulas over parameters everywhere. Handles belong to their builder, which is neither copied nor
/// moved.
class MechanismBuilder {
 public:
  explicit MechanismBuilder(Dimension dimension = spatial);
  MechanismBuilder(const MechanismBuilder&) = delete;
  MechanismBuilder& operator=(const MechanismBuilder&) = delete;

  /// The model; Error (model) with the cause if it breaks a rule. What a mechanism cannot say here (events, friction
  /// laws, servo constraints) can be added to it; whoever makes a system of it checks it again.
  Model model() const;

  void title(std::string title);
  void gravity(const std::vector<Number>& components);  ///< [m/s²]
  void reaction_frame(ReactionFrame frame);
  void data_tolerance(Number tolerance);  ///< errors of the data of joints up to it are rounding; 0: none
  void keep_data();                       ///< rounded data are not changed
  /// The name of the parameter, for formulas.
  Formula parameter(const std::string& name, Number value, const std::string& unit = "");
  void output(const std::string& name, Number formula, const std::string& unit = "");

  Reference ground() const { return {"ground"}; }
  BodyHandle body(const std::string& name, Body body);

  // Joints from a first body to a second; points and axes in the reference configuration.
  JointHandle fixed(const std::string& name, const Reference& a, const Reference& b, const Point& at);
  JointHandle revolute(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                       const Point& axis = {});  ///< the axis in space only
  JointHandle prismatic(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                        const Point& axis);
  JointHandle cylindrical(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                          const Point& axis);
  JointHandle screw(const std::string& name, const Reference& a, const Reference& b, const Point& at, const Point& axis,
                    Number pitch);  ///< [m/rad]
  JointHandle universal(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                        const Point& axis, const Point& second_axis);
  JointHandle spherical(const std::string& name, const Reference& a, const Reference& b, const Point& at);
  JointHandle planar(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                     const Point& normal);
  JointHandle free(const std::string& name, const Reference& a, const Reference& b, const Point& at);
  JointHandle distance(const std::string& name, const Reference& a, const Point& at, const Reference& b,
                       const Point& to);
  JointHandle point_on_line(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                            const Point& along);
  JointHandle point_on_plane(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                             const Point& normal);
  /// A ball in space, or a disc if it has an axis; in the plane a disc without one.
  JointHandle rolling(const std::string& name, const Reference& a, const Reference& b, const Point& centre,
                      Number radius, const Point& axis = {});
  JointHandle knife_edge(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                         const Point& across);

  void spring(const std::string& name, const Reference& a, const Point& from, const Reference& b, const Point& to,
              SpringLaw law);
  void joint_force(const std::string& name, const Reference& joint, JointLaw law, const std::string& component = "");
  void force(const std::string& name, const Reference& body, BodyLoad load);
  void bushing(const std::string& name, const Reference& a, const Reference& b, const Point& at, BushingLaw law);

  /// Σ factor · coordinate = 0, as in the reference configuration: {{"a.angle", 1}, {"b.angle", -2}}.
  void coupling(const std::string& name, const std::vector<std::pair<std::string, Number>>& sum);
  void gear(const std::string& name, const Reference& a, const Reference& b, Number teeth_a, Number teeth_b);
  void rack_and_pinion(const std::string& name, const Reference& rack, const Reference& pinion, Number radius);

  /// A joint coordinate follows a formula in time.
  void drive(const std::string& name, const Reference& joint, Number follows, const std::string& component = "");
  /// A marker follows one formula for each axis.
  void drive_marker(const std::string& name, const Point& marker, const std::vector<Number>& follows);
  /// The distance of two points follows a formula.
  void drive_distance(const std::string& name, const Reference& a, const Point& from, const Reference& b,
                      const Point& to, Number follows);

 private:
  friend class BodyHandle;
  friend class JointHandle;

  JointHandle joint(JointType type, const std::string& name, const Reference& a, const Reference& b, const Point& at,
                    const Point& axis = {});

  Model model_;
};

}  // namespace maggi
