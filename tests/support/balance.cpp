#include "support/balance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/largest.hpp"
#include "model/numbers.hpp"

namespace maggi::test {

namespace {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

Vector3 drawn(const Triple& given, const Numbers& number) {
  Vector3 x = Vector3::Zero();
  for (std::size_t k = 0; k < given.values.size(); ++k) x[static_cast<int>(k)] = number(given.values[k], "a number");
  return x;
}

Vector3 mass_centre(const Body& body, const Numbers& number) {
  if (body.position.given()) return drawn(body.position, number);
  return (drawn(body.from, number) + drawn(body.to, number)) / 2.0;
}

class Balance {
 public:
  Balance(const Model& model, const System& system, const State& state, const Acceleration& acceleration)
      : m_(model.mechanism), number_(model), shape_(system.shape()), planar_(m_.dimension == 2) {
    const auto workspace = system.workspace();
    // with ω for the rate of the motion (hω)⁸/630 = 2e-11 of truncation, ε/(hω)² = 2e-14 of rounding; rates of joints
    // add
    h_ = 0.05 / (1.0 + state.v.lpNorm<1>() + std::sqrt(acceleration.vdot.lpNorm<1>()));
    for (int i = 0; i < points; ++i) {
      State moved = state;  // right in q̇ and q̈ at time 0
      const double time = (i - now) * h_;
      const Vector delta = time * state.v + time * time / 2 * acceleration.vdot;
      system.move(moved.q.data(), delta.data());
      values_[i].resize(shape_.outputs.size());
      system.outputs(moved, acceleration, *workspace, values_[i]);
    }
  }

  /// The forces and moments on every body add up to nothing, to `tolerance` of the largest of them, or of 1 N and 1 N m
  /// where hardly anything acts.
  void expect(double tolerance) const {
    for (const Body& body : m_.bodies) {
      Sum sum = inertia_forces(body);
      for (const Joint& joint : m_.joints) add(joint, body, sum);
      for (const Spring& spring : m_.springs) add(spring, body, sum);
      for (const Driver& driver : m_.drivers) add(driver, body, sum);
      for (const BodyForce& force : m_.body_forces) add(force, body, sum);
      for (const Bushing& bushing : m_.bushings) add(bushing, body, sum);
      EXPECT_LT(sum.force.norm(), tolerance * (1.0 + sum.largest_force.value())) << body.name;
      EXPECT_LT(sum.moment.norm(), tolerance * (1.0 + sum.largest_moment.value())) << body.name;
    }
  }

 private:
  static constexpr int points = 9, now = 4;
  static constexpr std::array<double, points> first = {1. / 280, -4. / 105, 1. / 5,   -4. / 5,  0,
                                                       4. / 5,   -1. / 5,   4. / 105, -1. / 280};
  static constexpr std::array<double, points> second = {-1. / 560, 8. / 315, -1. / 5,  8. / 5,   -205. / 72,
                                                        8. / 5,    -1. / 5,  8. / 315, -1. / 560};

  struct Sum {
    Vector3 centre, force, moment;
    Largest largest_force, largest_moment;
    void act(const Vector3& at, const Vector3& F, const Vector3& torque = Vector3::Zero()) {
      const Vector3 N = torque + (at - centre).cross(F);
      force += F, moment += N;
      largest_force.note(F.norm());
      largest_moment.note(N.norm());
    }
  };

  // --- what the model says

  Vector3 triple(const Triple& given) const { return drawn(given, number_); }
  double number(const Formula& formula) const { return formula.empty() ? 0.0 : number_(formula, "a number"); }

  static double volume(const Body& body, const Vector3& along, double r, const Vector3& size) {
    using std::numbers::pi;
    if (body.shape == "cylinder") return pi * r * r * along.norm();
    if (body.shape == "sphere") return 4 * pi / 3 * r * r * r;
    if (body.shape == "disc") return pi * r * r;
    return size.prod();
  }

  /// Mass, and the inertia about the mass centre as drawn.
  std::pair<double, Matrix3> inertia(const Body& body) const {
    const Vector3 along = triple(body.to) - triple(body.from);
    Vector3 size = Vector3::Ones();
    for (std::size_t k = 0; k < body.size.size(); ++k) size[static_cast<int>(k)] = number(body.size[k]);
    const double r = number(body.radius);
    const double mass = body.density.empty() ? number(body.mass) : number(body.density) * volume(body, along, r, size);
    const auto product = [&](double xx, double yy, double zz) {  // from ∫x² dm, ∫y² dm, ∫z² dm
      return Matrix3(Vector3(yy + zz, xx + zz, xx + yy).asDiagonal());
    };
    Matrix3 I = Matrix3::Zero();
    if (planar_) {
      if (body.shape == "rod") I(2, 2) = mass * along.squaredNorm() / 12;
      if (body.shape == "disc") I(2, 2) = mass * r * r / 2;
      if (body.shape == "box") I(2, 2) = mass * (size[0] * size[0] + size[1] * size[1]) / 12;
      if (body.shape.empty()) I(2, 2) = number(body.inertia[0]);
      return {mass, I};
    }
    if (body.shape == "rod" || body.shape == "cylinder") {
      const Matrix3 R = Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), along).toRotationMatrix();
      I = R * (mass * product(r * r / 4, r * r / 4, along.squaredNorm() / 12)) * R.transpose();
    } else if (body.shape == "sphere") {
      I = mass * product(r * r / 5, r * r / 5, r * r / 5);
    } else if (body.shape == "box") {
      I = mass / 12 * product(size[0] * size[0], size[1] * size[1], size[2] * size[2]);
    } else if (body.shape.empty()) {
      for (int k = 0; k < 3; ++k) I(k, k) = number(body.inertia[k]);
      if (body.inertia.size() == 6) {
        I(0, 1) = I(1, 0) = number(body.inertia[3]);
        I(0, 2) = I(2, 0) = number(body.inertia[4]);
        I(1, 2) = I(2, 1) = number(body.inertia[5]);
      }
    }
    const Matrix3 R = turned(body);
    return {mass, R * I * R.transpose()};
  }

  const Body& body(const std::string& name) const { return *std::ranges::find(m_.bodies, name, &Body::name); }

  // --- what the run says

  double output(const std::string& name, int i = now) const {
    const auto found = std::ranges::find(shape_.outputs, name, &Channel::name);
    return found == shape_.outputs.end() ? 0.0 : values_[i][static_cast<std::size_t>(found - shape_.outputs.begin())];
  }
  Vector3 output3(const std::string& name, int i = now) const {
    return {output(name + ".x", i), output(name + ".y", i), output(name + ".z", i)};
  }
  Vector3 centre(const std::string& name, int i = now) const { return output3(name + ".probe_c", i); }
  /// From the drawing to where the body is.
  Matrix3 rotation(const std::string& name, int i = now) const {
    Matrix3 R = Matrix3::Identity();
    if (name == "ground") return R;
    for (int k = 0; k < m_.dimension; ++k) R.col(k) = output3(name + ".probe_" + "xyz"[k], i) - centre(name, i);
    return R;
  }
  /// Where a point of a body is, given where it is drawn.
  Vector3 point(const std::string& name, const Vector3& drawn, int i = now) const {
    if (name == "ground") return drawn;
    return centre(name, i) + rotation(name, i) * (drawn - mass_centre(body(name), number_));
  }

  Sum inertia_forces(const Body& body) const {
    Matrix3 Rd = Matrix3::Zero(), Rdd = Matrix3::Zero();
    Vector3 a = Vector3::Zero();
    for (int i = 0; i < points; ++i) {
      a += second[i] / (h_ * h_) * centre(body.name, i);
      Rd += first[i] / h_ * rotation(body.name, i);
      Rdd += second[i] / (h_ * h_) * rotation(body.name, i);
    }
    const auto axial = [](const Matrix3& A) {
      return Vector3(Vector3(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)) / 2.0);
    };
    const Matrix3 R = rotation(body.name);
    const Vector3 omega = axial(Rd * R.transpose()), alpha = axial(Rdd * R.transpose());
    const auto [mass, drawn] = inertia(body);
    const Matrix3 I = R * drawn * R.transpose();
    Sum sum;
    sum.centre = centre(body.name);
    sum.force = sum.moment = Vector3::Zero();
    sum.act(sum.centre, mass * triple(m_.gravity));
    sum.act(sum.centre, -mass * a);
    sum.act(sum.centre, Vector3::Zero(), -I * alpha);
    sum.act(sum.centre, Vector3::Zero(), -omega.cross(I * omega));
    return sum;
  }

  // --- what acts on a body

  static double side(const std::array<Reference, 2>& bodies, const Body& body) {
    return bodies[1].name == body.name ? 1.0 : bodies[0].name == body.name ? -1.0 : 0.0;
  }

  /// Each side by its own channels, in its own point, along its own axes.
  void add(const Joint& joint, const Body& body, Sum& sum) const {
    const double sign = side(joint.bodies, body);
    if (sign == 0.0) return;
    const std::string name = joint.name + (sign > 0.0 ? "" : ".first");
    const bool touches = joint.type == JointType::rolling || joint.type == JointType::knife_edge;
    const std::string& carrier = touches ? joint.bodies[1].name : body.name;
    Vector3 at = point(carrier, triple(joint.type == JointType::distance && sign > 0.0 ? joint.to : joint.at));
    if (joint.type == JointType::rolling) at += contact(joint);
    Vector3 torque = output3(name + ".torque");
    if (planar_) torque[2] = output(name + ".torque");
    Matrix3 R = Matrix3::Identity();
    if (m_.reaction_frame == ReactionFrame::body) R = rotation(body.name) * turned(body);
    sum.act(at, R * output3(name + ".force"), R * torque);
  }

  Matrix3 turned(const Body& body) const {
    if (body.turned.empty()) return Matrix3::Identity();
    const Vector3 axis = planar_ ? Vector3(Vector3::UnitZ()) : triple(body.axis).normalized();
    return Eigen::AngleAxisd(number(body.turned), axis).toRotationMatrix();
  }

  /// From the centre of what rolls to where it touches.
  Vector3 contact(const Joint& joint) const {
    Vector3 n = triple(joint.normal);
    if (n.norm() == 0.0) n = -triple(m_.gravity);
    n = rotation(joint.bodies[0].name) * n.normalized();
    Vector3 down = -n;
    if (!planar_ && joint.axis.given()) {
      const Vector3 e = rotation(joint.bodies[1].name) * triple(joint.axis).normalized();
      down = (n.dot(e) * e - n).normalized();
    }
    return number(joint.radius) * down;
  }

  /// A pull between two points; a cylinder pushes with its multiplier.
  void pull(const std::array<Reference, 2>& bodies, const Triple& from, const Triple& to, double force,
            const Body& body, Sum& sum) const {
    const Vector3 a = point(bodies[0].name, triple(from)), b = point(bodies[1].name, triple(to));
    const double sign = side(bodies, body);
    if (sign != 0.0) sum.act(sign > 0.0 ? b : a, -sign * force * (b - a).normalized());
  }

  void add(const Spring& spring, const Body& body, Sum& sum) const {
    const auto length = [&](int i) {
      return (point(spring.bodies[1].name, triple(spring.to), i) - point(spring.bodies[0].name, triple(spring.from), i))
          .norm();
    };
    double rate = 0.0;
    for (int i = 0; i < points; ++i) rate += first[i] / h_ * length(i);
    const double free =
        spring.length.empty() ? (triple(spring.to) - triple(spring.from)).norm() : number(spring.length);
    pull(spring.bodies, spring.from, spring.to,
         number(spring.stiffness) * (length(now) - free) + number(spring.damping) * rate +
             output("probe_" + spring.name),
         body, sum);
  }

  void add(const Driver& driver, const Body& body, Sum& sum) const {
    if (driver.distance[0].name.empty()) return;  // along a joint: part of its reaction
    pull(driver.distance, driver.from, driver.to, -output("probe_" + driver.name), body, sum);
  }

  void add(const BodyForce& force, const Body& body, Sum& sum) const {
    if (force.body.name != body.name) return;
    Vector3 F, torque;
    for (int k = 0; k < 3; ++k) {
      F[k] = output("probe_" + force.name + "_force_" + "xyz"[k]);
      torque[k] = output("probe_" + force.name + "_torque_" + "xyz"[k]);
    }
    const Matrix3 R = force.turns_with_body ? rotation(body.name) : Matrix3(Matrix3::Identity());
    const Vector3 at = force.at.given() ? point(body.name, triple(force.at)) : sum.centre;
    sum.act(at, R * F, R * torque);
  }

  /// Along the axes of the first body, f = e · (p_B − p_A); about them f = 2 g, g = tan(θ/2) u, with the moment
  /// e + g × e + g (g·e) for a unit of force along f.
  void add(const Bushing& bushing, const Body& body, Sum& sum) const {
    const double sign = side(bushing.bodies, body);
    if (sign == 0.0) return;
    ASSERT_FALSE(bushing.axis.given() || planar_) << "not thought of here";
    const std::string &a = bushing.bodies[0].name, &b = bushing.bodies[1].name;
    const Vector3 at = triple(bushing.at);
    const auto shift = [&](int i) { return Vector3(rotation(a, i).transpose() * (point(b, at, i) - point(a, at, i))); };
    const auto turn = [&](int i) {
      const Matrix3 R = rotation(a, i).transpose() * rotation(b, i);
      return Vector3(2.0 * Vector3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)) / (1.0 + R.trace()));
    };
    Vector3 shift_rate = Vector3::Zero(), turn_rate = Vector3::Zero();
    for (int i = 0; i < points; ++i) shift_rate += first[i] / h_ * shift(i), turn_rate += first[i] / h_ * turn(i);
    const auto times = [&](const Triple& factors, const Vector3& x) {
      return Vector3(triple(factors).cwiseProduct(x));
    };
    const Vector3 force = -times(bushing.stiffness, shift(now)) - times(bushing.damping, shift_rate);
    const Vector3 along_turn = -times(bushing.torsion_stiffness, turn(now)) - times(bushing.torsion_damping, turn_rate);
    const Vector3 g = turn(now) / 2.0;
    const Vector3 moment = along_turn + g.cross(along_turn) + g * g.dot(along_turn);
    sum.act(point(b, at), sign * rotation(a) * force, sign * rotation(a) * moment);
  }

  const Mechanism& m_;
  const Numbers number_;
  const Shape& shape_;
  const bool planar_;
  double h_ = 0.0;
  std::array<std::vector<double>, points> values_;
};

}  // namespace

Model with_probes(Model model) {
  const Numbers number(model);
  Mechanism& m = model.mechanism;
  const int axes = m.dimension;
  for (Body& body : m.bodies) {
    const Vector3 c = mass_centre(body, number);
    for (int k = -1; k < axes; ++k) {
      Marker marker{k < 0 ? "probe_c" : std::string("probe_") + "xyz" [k], {}, {}};
      for (int i = 0; i < axes; ++i) marker.at.values.emplace_back(c[i] + (i == k ? 1.0 : 0.0));
      body.markers.push_back(marker);
    }
  }
  const auto show = [&](const std::string& name, const Formula& formula) {
    model.outputs.push_back({"probe_" + name, formula, "", {}});
  };
  for (const Driver& driver : m.drivers)
    if (!driver.distance[0].name.empty()) show(driver.name, "lambda." + driver.name);
  for (const Spring& spring : m.springs)
    if (!spring.force.empty()) show(spring.name, spring.force);
  for (const BodyForce& force : m.body_forces) {
    for (std::size_t k = 0; k < force.force.values.size(); ++k)
      show(force.name + "_force_" + "xyz"[k], force.force.values[k]);
    for (std::size_t k = 0; k < force.torque.values.size(); ++k)
      show(force.name + "_torque_" + (axes == 2 ? 'z' : "xyz"[k]), force.torque.values[k]);
  }
  return model;
}

void expect_balance(const Model& model, const System& system, const State& state, const Acceleration& acceleration,
                    double tolerance) {
  Balance(model, system, state, acceleration).expect(tolerance);
}

}  // namespace maggi::test
