#include "system/mechanism/reference/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <unordered_map>

#include "base/decompositions.hpp"
#include "base/dual.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "model/joint_entries.hpp"
#include "system/mechanism/reference/data_errors.hpp"
#include "system/mechanism/reference/frame.hpp"
#include "system/mechanism/reference/origin.hpp"

namespace maggi::mechanism {

void fail(const Where& where, std::string what, std::string help) {
  throw Error(Errc::model, where, std::move(what), std::move(help));
}

namespace {

const std::string ground = "ground";

mechanism::Matrix3 values_of(const mechanism::Matrix3& A) { return A; }
mechanism::Matrix3 values_of(const Matrix3Over<Dual>& A) {
  return A.unaryExpr([](const Dual& x) { return x.value; });
}

template <class Real>
class Reader {
 public:
  using Vector3 = Vector3Over<Real>;
  using Matrix3 = Matrix3Over<Real>;

  Reader(const Model& model, const NumbersOver<Real>& numbers, DrawingOver<Real>& drawing)
      : mechanism_(model.mechanism), number_(numbers), drawing_(drawing) {
    const Mechanism& mechanism = model.mechanism;
    drawing_.planar = mechanism.dimension == 2;
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
      numbers_of_bodies_.emplace(mechanism.bodies[b].name, static_cast<int>(b) + 1);
    drawing_.gravity = triple(mechanism.gravity, "gravity");
    drawing_.origin = origin_of(mechanism, plain(numbers)).template cast<Real>();
    drawing_.bodies.emplace_back().position = -drawing_.origin;
    for (const Body& body : mechanism.bodies) {
      DrawnBodyOver<Real>& drawn =
          drawing_.bodies.emplace_back(read(body));  // markers may be given in the frame of their own body
      for (const Marker& marker : body.markers) drawn.markers.push_back(point(marker.at, of(marker.name, body.name)));
    }
    for (const Joint& joint : mechanism.joints) drawing_.joints.push_back(read(joint));
    for (const Spring& spring : mechanism.springs) drawing_.springs.push_back(read(spring));
    for (const BodyForce& force : mechanism.body_forces) drawing_.forces.push_back(read(force));
    for (const Bushing& bushing : mechanism.bushings) drawing_.bushings.push_back(read(bushing));
    for (const Driver& driver : mechanism.drivers) drawing_.drivers.push_back(read(driver));
  }

 private:
  static std::string of(std::string_view what, const std::string& name) {
    return fmt::format("{} of \"{}\"", what, name);
  }

  Real number(const Formula& formula, const std::string& what, Real otherwise = 0.0) const {
    return formula.empty() ? otherwise : number_(formula, what);
  }
  Real positive(const Formula& formula, const std::string& what) const {
    const Real value = number_(formula, what);
    if (!(value > 0.0)) fail(formula.where, fmt::format("{} is {:.6g}", what, value_of(value)), "it must be positive");
    return value;
  }
  Real not_negative(const Formula& formula, const std::string& what) const {
    const Real value = number(formula, what);
    if (value < 0.0) fail(formula.where, fmt::format("{} is {:.6g}", what, value_of(value)), "it cannot be negative");
    return value;
  }

  Vector3 triple(const Triple& given, const std::string& what) const {
    Vector3 result = Vector3::Zero();
    for (std::size_t i = 0; i < given.values.size(); ++i) result[static_cast<int>(i)] = number_(given.values[i], what);
    return result;
  }

  /// A point in the world, in the frame of a body, or where a marker is.
  Vector3 point(const Triple& given, const std::string& what) const {
    const Reference& frame = given.frame;
    if (frame.name.empty()) return triple(given, what) - drawing_.origin;
    if (given.values.empty()) return marker(frame, what);
    const DrawnBodyOver<Real>& body = body_drawn(frame, what);
    return body.position + body.turned * triple(given, what);
  }
  Vector3 direction(const Triple& given, std::string_view key, const std::string& owner) const {
    Vector3 value = triple(given, of(key, owner));
    if (!(value.norm() > 0.0))
      fail(given.where, fmt::format("the {} of \"{}\" is zero", key, owner), "a direction, of any length: [0, 0, 1]");
    if (!given.frame.name.empty()) value = body_drawn(given.frame, of(key, owner)).turned * value;
    return value.normalized();
  }

  /// The body in whose frame something is given; it has been read.
  const DrawnBodyOver<Real>& body_drawn(const Reference& reference, const std::string& what) const {
    const auto index = static_cast<std::size_t>(body(reference));
    if (index >= drawing_.bodies.size())
      fail(reference.where, fmt::format("{} is in the frame of \"{}\", which comes later", what, reference.name),
           "bodies are drawn in the order of the file: use one above");
    return drawing_.bodies[index];
  }

  Vector3 marker(const Reference& reference, const std::string& what) const {
    const std::size_t dot = reference.name.find('.');
    const std::string owner = reference.name.substr(0, dot);
    if (dot == std::string::npos)
      fail(reference.where, fmt::format("{} is \"{}\", which names no marker", what, reference.name),
           "write body.marker, as \"arm.tip\", or body.centre, or a list of numbers");
    const DrawnBodyOver<Real>& body = body_drawn({owner, reference.where}, what);
    const std::string name = reference.name.substr(dot + 1);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < body.markers.size(); ++k) {
      names.push_back(body.given->markers[k].name);
      if (names.back() == name) return body.markers[k];
    }
    if (name == "centre" && body.given) return body.position;
    names.emplace_back("centre");
    fail(reference.where, fmt::format("body \"{}\" has no marker \"{}\"", owner, name), suggest_name(name, names));
  }

  int body(const Reference& reference) const {
    if (reference.name == ground) return 0;
    if (const auto found = numbers_of_bodies_.find(reference.name); found != numbers_of_bodies_.end())
      return found->second;
    std::vector<std::string> names{ground};
    for (const Body& b : mechanism_.bodies) names.push_back(b.name);
    fail(reference.where, fmt::format("no body is named \"{}\"", reference.name), suggest_name(reference.name, names));
  }

  void between(const std::array<Reference, 2>& bodies, std::string_view kind, const std::string& name, int& a,
               int& b) const {
    a = body(bodies[0]), b = body(bodies[1]);
    if (a == b)
      fail(bodies[1].where, fmt::format("{} \"{}\" joins \"{}\" to itself", kind, name, bodies[0].name),
           "name two different bodies, or a body and \"ground\"");
  }

  DrawnBodyOver<Real> read(const Body& given) {
    DrawnBodyOver<Real> body;
    body.given = &given;
    read_place(given, body);
    read_mass(given, body);
    return body;
  }

  void read_place(const Body& given, DrawnBodyOver<Real>& body) const {
    if (given.position.given())
      body.position = point(given.position, of("position", given.name));
    else
      body.position = (point(given.from, of("from", given.name)) + point(given.to, of("to", given.name))) / 2.0;
  }

  void read_mass(const Body& given, DrawnBodyOver<Real>& body) const {
    if (given.shape.empty()) {
      body.mass = not_negative(given.mass, of("the mass", given.name));
      body.inertia = given_inertia(given);
    } else {
      read_shape(given, body);
    }
    turn(given, body);
    check_inertia(given, body);
  }

  Matrix3 given_inertia(const Body& given) const {
    std::vector<Real> I;
    for (const Formula& value : given.inertia) I.push_back(number_(value, of("the inertia", given.name)));
    Matrix3 result = Matrix3::Zero();
    if (drawing_.planar) {
      result(2, 2) = I[0];
      return result;
    }
    result.diagonal() << I[0], I[1], I[2];
    if (I.size() == 6)
      result(0, 1) = result(1, 0) = I[3], result(0, 2) = result(2, 0) = I[4], result(1, 2) = result(2, 1) = I[5];
    return result;
  }

  /// Mass of a shape: given, or from its volume (area, in the plane).
  Real mass(const Body& given, const Real& volume) const {
    if (given.density.empty()) return not_negative(given.mass, of("the mass", given.name));
    return positive(given.density, of("the density", given.name)) * volume;
  }

  void read_shape(const Body& given, DrawnBodyOver<Real>& body) const {
    using std::numbers::pi;
    const bool stretched = given.shape == "rod" || given.shape == "cylinder";
    const bool round = given.shape == "cylinder" || given.shape == "sphere" || given.shape == "disc";
    const Real r = round ? positive(given.radius, of("the radius", given.name)) : Real(0.0);
    const Vector3 along = stretched ? Vector3(point(given.to, "to") - point(given.from, "from")) : Vector3::Zero();
    const Real l = along.norm();
    body.radius = r;
    body.along = along;
    if (stretched && !(l > 0.0))
      fail(given.to.where, fmt::format("\"{}\" has no length: from and to are the same point", given.name), "");
    if (given.shape == "point") {
      body.mass = mass(given, 0.0);
    } else if (stretched) {
      body.mass = mass(given, r > 0.0 ? pi * r * r * l : Real(0.0));
      const Vector3 e = along / l;
      const Real axial = body.mass * r * r / 2.0, across = body.mass * (r * r / 4.0 + l * l / 12.0);
      body.inertia = across * Matrix3::Identity() + (axial - across) * e * e.transpose();
    } else if (given.shape == "sphere") {
      body.mass = mass(given, 4.0 / 3.0 * pi * r * r * r);
      body.inertia = 0.4 * body.mass * r * r * Matrix3::Identity();
    } else if (given.shape == "disc") {
      body.mass = mass(given, pi * r * r);
      body.inertia(2, 2) = body.mass * r * r / 2.0;
    } else {
      read_box(given, body);
    }
  }

  void read_box(const Body& given, DrawnBodyOver<Real>& body) const {
    Vector3 size = Vector3::Ones();
    for (std::size_t i = 0; i < given.size.size(); ++i)
      size[static_cast<int>(i)] = positive(given.size[i], of("the size", given.name));
    body.mass = mass(given, size.prod());
    if (drawing_.planar) size[2] = 0.0;
    body.edges = size;
    const Vector3 squares = size.cwiseAbs2();
    body.inertia = body.mass / 12.0 * (squares.sum() * Matrix3::Identity() - Matrix3(squares.asDiagonal()));
  }

  void turn(const Body& given, DrawnBodyOver<Real>& body) const {
    if (given.turned.empty()) return;
    const Real angle = number_(given.turned, of("the angle", given.name));
    if (drawing_.planar) {
      body.turned = Eigen::AngleAxis<Real>(angle, Vector3(Vector3::UnitZ())).toRotationMatrix();
      return;  // its moment of inertia stays
    }
    body.turned = Eigen::AngleAxis<Real>(angle, direction(given.axis, "axis", given.name)).toRotationMatrix();
    body.inertia = body.turned * body.inertia * body.turned.transpose();
  }

  void check_inertia(const Body& given, const DrawnBodyOver<Real>& body) const {
    const Where where = given.inertia.empty() ? given.where : given.inertia.front().where;
    const mechanism::Vector3 I =
        Eigen::SelfAdjointEigenSolver<mechanism::Matrix3>(values_of(body.inertia)).eigenvalues();  // increasing
    if (!(I[0] >= -1e-12 * largest(I)))
      fail(where, fmt::format("the inertia of \"{}\" is negative about some axis", given.name),
           "moments of inertia are positive");
    if (!drawing_.planar && I[2] > (I[0] + I[1]) * (1.0 + 1e-9))
      fail(where,
           fmt::format("no body has the inertia of \"{}\": {:.6g} about one axis is more than {:.6g} + {:.6g} "
                       "about the two others",
                       given.name, I[2], I[0], I[1]),
           "check the numbers; they are about the mass centre");
    if (body.mass == 0.0 && I[2] > 0.0)
      fail(where, fmt::format("\"{}\" has an inertia but no mass", given.name), "give its mass");
  }

  DrawnJointOver<Real> read(const Joint& given) {
    DrawnJointOver<Real> joint;
    joint.given = &given;
    between(given.bodies, "joint", given.name, joint.a, joint.b);
    joint.at = point(given.at, of("at", given.name));
    const JointEntry& entry = entry_of(given.type);
    if (given.axis.given()) read_axes(given, joint);
    if (entry.keys.radius) read_rolling(given, given.axis.given(), joint);
    joint.to = joint.at;
    if (entry.keys.to) read_distance(given, joint);
    if (entry.keys.pitch) {
      joint.pitch = number_(given.pitch, of("the pitch", given.name));
      if (joint.pitch == 0.0)
        fail(given.pitch.where, fmt::format("the pitch of \"{}\" is zero", given.name), "that is a revolute joint");
    }
    return joint;
  }

  void read_rolling(const Joint& given, bool disc, DrawnJointOver<Real>& joint) const {
    joint.radius = positive(given.radius, of("the radius", given.name));
    Vector3 n = drawing_.planar ? Vector3(Vector3::UnitY()) : Vector3(Vector3::UnitZ());
    if (given.normal.given())
      n = direction(given.normal, "normal", given.name);
    else if (drawing_.gravity.norm() > 0.0)
      n = -drawing_.gravity.normalized();
    if (drawing_.planar)
      joint.plane << n[1], n[0], Real(0.0), -n[0], n[1], Real(0.0), Real(0.0), Real(0.0), Real(1.0);
    else
      joint.plane = frame_about<Real>(n, 2);
    Vector3 down = -n;
    if (disc) {
      const Vector3 e = joint.frame.col(2);
      down = n.dot(e) * e - n;
      if (down.norm() < 1e-6)
        fail(given.axis.where, fmt::format("the disc of \"{}\" lies flat: its axis is the normal", given.name),
             "a disc rolls on its edge; without an axis it is a ball");
      down.normalize();
    }
    joint.touches = joint.at + joint.radius * down;
  }

  void read_axes(const Joint& given, DrawnJointOver<Real>& joint) const {
    const Vector3 axis = direction(given.axis, "axis", given.name);
    joint.axis_length = value_of(triple(given.axis, of("axis", given.name)).norm());
    joint.frame = frame_about<Real>(axis, drawing_.planar ? 0 : 2);
    if (!entry_of(given.type).keys.second_axis) return;
    const Vector3 second = direction(given.second_axis, "second_axis", given.name);
    const double length = value_of(triple(given.second_axis, of("second_axis", given.name)).norm());
    const double rounding = half_unit(given.axis) / joint.axis_length + half_unit(given.second_axis) / length;
    const double tolerance = 1e-9 + data_tolerance(mechanism_, plain(number_)) + std::numbers::sqrt3 * rounding;
    if (std::abs(value_of(axis.dot(second))) > tolerance)
      fail(given.second_axis.where,
           fmt::format("the axes of the universal joint \"{}\" are at {:.6g} degrees", given.name,
                       std::acos(std::clamp(value_of(axis.dot(second)), -1.0, 1.0)) * 180.0 / std::numbers::pi),
           "they are normal to each other");
    joint.frame.col(0) = axis;
    joint.frame.col(1) = (second - axis.dot(second) * axis).normalized();
    joint.frame.col(2) = joint.frame.col(0).cross(joint.frame.col(1));
  }

  void read_distance(const Joint& given, DrawnJointOver<Real>& joint) const {
    joint.to = point(given.to, of("to", given.name));
    const Real drawn = (joint.to - joint.at).norm();
    if (!(drawn > 0.0))
      fail(given.to.where, fmt::format("the points of \"{}\" coincide", given.name),
           "a spherical joint holds them together");
    joint.length = given.length.empty() ? drawn : positive(given.length, of("the length", given.name));
  }

  DrawnSpringOver<Real> read(const Spring& given) {
    DrawnSpringOver<Real> spring;
    spring.given = &given;
    between(given.bodies, "spring", given.name, spring.a, spring.b);
    spring.from = point(given.from, of("from", given.name));
    spring.to = point(given.to, of("to", given.name));
    spring.stiffness = number(given.stiffness, of("the stiffness", given.name));
    spring.damping = number(given.damping, of("the damping", given.name));
    if (number_.covers(given.force)) spring.force = number(given.force, of("the force", given.name));
    const Real drawn = (spring.to - spring.from).norm();
    if (!(drawn > 0.0))
      fail(given.to.where, fmt::format("the ends of \"{}\" coincide", given.name), "its force would have no direction");
    spring.length = number(given.length, of("the length", given.name), drawn);
    return spring;
  }

  DrawnDriverOver<Real> read(const Driver& given) {
    DrawnDriverOver<Real> driver;
    driver.given = &given;
    if (given.distance[0].name.empty()) return driver;
    between(given.distance, "driver", given.name, driver.a, driver.b);
    driver.from = point(given.from, of("from", given.name));
    driver.to = point(given.to, of("to", given.name));
    if (!((driver.to - driver.from).norm() > 0.0))
      fail(given.to.where, fmt::format("the ends of \"{}\" coincide", given.name), "its force would have no direction");
    return driver;
  }

  DrawnForceOver<Real> read(const BodyForce& given) {
    DrawnForceOver<Real> force;
    force.given = &given;
    force.body = body(given.body);
    force.at = given.at.given() ? point(given.at, of("at", given.name)) : drawing_.bodies[force.body].position;
    return force;
  }

  DrawnBushingOver<Real> read(const Bushing& given) {
    DrawnBushingOver<Real> bushing;
    bushing.given = &given;
    between(given.bodies, "bushing", given.name, bushing.a, bushing.b);
    bushing.at = point(given.at, of("at", given.name));
    if (given.axis.given()) {
      const Vector3 axis = direction(given.axis, "axis", given.name);
      bushing.frame = frame_about<Real>(axis, drawing_.planar ? 0 : 2);
    }
    bushing.stiffness = triple(given.stiffness, of("the stiffness", given.name));
    bushing.damping = triple(given.damping, of("the damping", given.name));
    const auto about = [&](const Triple& values, const std::string& what) {
      if (!drawing_.planar || !values.given()) return triple(values, what);
      return Vector3(number_(values.values.front(), what), Real(0.0), Real(0.0));
    };
    bushing.torsion_stiffness = about(given.torsion_stiffness, of("the torsional stiffness", given.name));
    bushing.torsion_damping = about(given.torsion_damping, of("the torsional damping", given.name));
    for (const Vector3* values :
         {&bushing.stiffness, &bushing.damping, &bushing.torsion_stiffness, &bushing.torsion_damping})
      if ((*values)[0] < 0.0 || (*values)[1] < 0.0 || (*values)[2] < 0.0)
        fail(given.where, fmt::format("bushing \"{}\" has a negative stiffness or damping", given.name), "");
    return bushing;
  }

  const Mechanism& mechanism_;
  const NumbersOver<Real>& number_;
  DrawingOver<Real>& drawing_;
  std::unordered_map<std::string, int> numbers_of_bodies_;  // from 1
};

}  // namespace

template <class Real>
const std::string& DrawnBodyOver<Real>::name() const {
  return given ? given->name : ground;
}

template <class Real>
DrawingOver<Real>::DrawingOver(const Model& model, const NumbersOver<Real>& numbers) {
  Reader<Real>(model, numbers, *this);
}

void hold_repaired(const Drawing& repaired, DrawingOver<Dual>& drawing) {
  const auto hold = [](const auto& values, auto& numbers) {
    for (Eigen::Index i = 0; i < values.size(); ++i) numbers.data()[i].value = values.data()[i];
  };
  for (std::size_t j = 0; j < repaired.joints.size(); ++j) {
    const DrawnJoint& from = repaired.joints[j];
    DrawnJointOver<Dual>& to = drawing.joints[j];
    hold(from.at, to.at), hold(from.to, to.to), hold(from.frame, to.frame);
    to.length.value = from.length, to.pitch.value = from.pitch;
  }
}

template struct DrawnBodyOver<double>;
template struct DrawnBodyOver<Dual>;
template struct DrawingOver<double>;
template struct DrawingOver<Dual>;

}  // namespace maggi::mechanism
