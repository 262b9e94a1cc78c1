#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "base/decompositions.hpp"
#include "base/dual.hpp"
#include "base/largest.hpp"
#include "model/joint_entries.hpp"
#include "system/mechanism/reference/data_errors.hpp"
#include "system/mechanism/reference/frame.hpp"
#include "system/mechanism/reference/origin.hpp"
#include "system/mechanism/reference/place_reader.hpp"

namespace maggi::mechanism {

namespace {

mechanism::Matrix3 values_of(const mechanism::Matrix3& A) { return A; }
mechanism::Matrix3 values_of(const Matrix3Over<Dual>& A) {
  return A.unaryExpr([](const Dual& x) { return x.value; });
}

template <class Real>
class Reader : PlaceReader<Real> {
 public:
  using Vector3 = Vector3Over<Real>;
  using Matrix3 = Matrix3Over<Real>;

  Reader(const Model& model, const NumbersOver<Real>& numbers, DrawingOver<Real>& drawing)
      : PlaceReader<Real>(model.mechanism, numbers, drawing),
        mechanism_(model.mechanism),
        number_(numbers),
        drawing_(drawing) {
    const Mechanism& mechanism = model.mechanism;
    drawing_.planar = mechanism.dimension == 2;
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
    for (const Driver& driver : mechanism.drivers) drawing_.drivers.push_back(read(driver));
  }

 private:
  using PlaceReader<Real>::axes_about;
  using PlaceReader<Real>::between;
  using PlaceReader<Real>::direction;
  using PlaceReader<Real>::not_negative;
  using PlaceReader<Real>::number;
  using PlaceReader<Real>::of;
  using PlaceReader<Real>::point;
  using PlaceReader<Real>::positive;
  using PlaceReader<Real>::triple;

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
    joint.frame = axes_about(axis);
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

  const Mechanism& mechanism_;
  const NumbersOver<Real>& number_;
  DrawingOver<Real>& drawing_;
};

}  // namespace

template <class Real>
DrawingOver<Real>::DrawingOver(const Model& model, const NumbersOver<Real>& numbers) {
  Reader<Real>(model, numbers, *this);
}

template struct DrawingOver<double>;
template struct DrawingOver<Dual>;

}  // namespace maggi::mechanism
