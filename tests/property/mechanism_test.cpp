// Random mechanisms, a tree with further joints across it, at a random consistent state: constraints hold and do no
// work, all formulations agree, reported forces hold every body in balance, energy is kept.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "maggi/base/names.hpp"
#include "maggi/formulation/formulation.hpp"
#include "maggi/integration/initial_conditions.hpp"
#include "maggi/integration/integrate.hpp"
#include "maggi/system/mechanism_system.hpp"

namespace maggi::test {
namespace {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

struct RandomMechanism {
  explicit RandomMechanism(unsigned seed) : random(seed), planar(seed % 2 == 0) {
    Mechanism& m = model.mechanism;
    m.dimension = planar ? 2 : 3;
    m.gravity = point(3.0);
    bodies = planar ? 5 : 4;
    for (int i = 0; i < bodies; ++i) m.bodies.push_back(body(i));
    for (int i = 0; i < bodies; ++i) {
      const int parent = std::uniform_int_distribution<int>(-1, i - 1)(random);
      m.joints.push_back(joint(tree_types(), parent, i));
    }
    for (int loops = 0; loops < (planar ? 1 : 2); ++loops) {
      const int b = std::uniform_int_distribution<int>(1, bodies - 1)(random);
      m.joints.push_back(joint(loop_types(), std::uniform_int_distribution<int>(-1, b - 1)(random), b));
      m.joints.back().loop = true;
    }
    Spring spring;
    spring.name = "strut";
    spring.bodies = {Reference{"ground"}, Reference{"b" + std::to_string(bodies - 1)}};
    spring.from = point(1.0), spring.to = point(1.0);
    spring.stiffness = Formula(7.0);
    spring.length = Formula(0.4);
    m.springs.push_back(spring);
  }

  double normal(double size = 1.0) { return size * std::normal_distribution<double>()(random); }

  Triple point(double size) {
    Triple triple;
    for (int k = 0; k < (planar ? 2 : 3); ++k) triple.values.emplace_back(normal(size));
    return triple;
  }

  /// Markers in the mass centre and one ahead of it along each axis tell how the body moves.
  Body body(int i) {
    Body b;
    b.name = "b" + std::to_string(i);
    b.mass = Formula(0.5 + std::abs(normal()));
    const double base = 0.3 + 0.2 * std::abs(normal());
    if (planar)
      b.inertia = {Formula(base)};
    else
      b.inertia = {Formula(base), Formula(1.2 * base), Formula(1.5 * base)};
    b.position = point(1.0);
    b.markers.push_back({"c", b.position, {}});
    const char* names[] = {"x", "y", "z"};
    for (int k = 0; k < (planar ? 2 : 3); ++k) {
      Triple at = b.position;
      at.values[k] = Formula(std::stod(at.values[k].text) + 1.0);
      b.markers.push_back({names[k], at, {}});
    }
    return b;
  }

  std::vector<JointType> tree_types() const {
    if (planar) return {JointType::revolute, JointType::prismatic, JointType::revolute, JointType::point_on_line};
    return {JointType::revolute,  JointType::prismatic,      JointType::cylindrical,
            JointType::universal, JointType::spherical,      JointType::planar,
            JointType::screw,     JointType::point_on_plane, JointType::free};
  }
  std::vector<JointType> loop_types() const {
    if (planar) return {JointType::revolute, JointType::point_on_line, JointType::distance};
    return {JointType::spherical, JointType::universal, JointType::distance, JointType::point_on_line,
            JointType::point_on_plane};
  }

  Joint joint(const std::vector<JointType>& types, int a, int b) {
    Joint j;
    j.name = "j" + std::to_string(model.mechanism.joints.size());
    j.type = types[std::uniform_int_distribution<std::size_t>(0, types.size() - 1)(random)];
    j.bodies = {Reference{a < 0 ? "ground" : "b" + std::to_string(a)}, Reference{"b" + std::to_string(b)}};
    if (normal() > 0) std::swap(j.bodies[0], j.bodies[1]);
    j.at = point(1.0);
    const bool axis = j.type != JointType::spherical && j.type != JointType::distance && j.type != JointType::free &&
                      !(planar && j.type == JointType::revolute);
    if (axis) j.axis = point(1.0);
    if (j.type == JointType::distance) j.to = point(1.0);
    if (j.type == JointType::screw) j.pitch = Formula(0.3);
    if (j.type == JointType::universal) {
      const Vector3 e(std::stod(j.axis.values[0].text), std::stod(j.axis.values[1].text),
                      std::stod(j.axis.values[2].text));
      const Vector3 second = e.cross(Vector3(normal(), normal(), normal()));
      for (int k = 0; k < 3; ++k) j.second_axis.values.emplace_back(second[k]);
    }
    return j;
  }

  std::mt19937 random;
  bool planar;
  int bodies;
  Model model;
};

/// A mechanism at a random consistent state.
struct Fixture {
  explicit Fixture(unsigned seed)
      : mechanism(seed), system(MechanismSystem::make(mechanism.model)), dynamics(*system), w(system->workspace()) {
    Start start = system->start();
    for (Start::Value& v : start.v) v.value = mechanism.normal();
    conditions = find_initial_conditions(dynamics, start);
  }

  double output(const std::vector<double>& values, const std::string& name) const {
    const std::vector<Channel>& outputs = system->shape().outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i].name == name) return values[i];
    return 0.0;  // a joint without that component
  }
  Vector3 triple(const std::vector<double>& values, const std::string& name) const {
    return {output(values, name + ".x"), output(values, name + ".y"), output(values, name + ".z")};
  }
  std::vector<double> outputs(const State& state, const Acceleration& a) const {
    std::vector<double> values(system->shape().outputs.size());
    system->outputs(state, a, *w, values);
    return values;
  }
  /// The state at a small time along the motion: right in q̇ and q̈ at time 0.
  State along(double time) const {
    State s = conditions.state;
    const Vector delta = time * s.v + time * time / 2 * conditions.acceleration.vdot;
    system->move(s.q.data(), delta.data());
    return s;
  }

  RandomMechanism mechanism;
  std::unique_ptr<MechanismSystem> system;
  Dynamics dynamics;
  std::unique_ptr<Workspace> w;
  InitialConditions conditions;
};

class RandomMechanisms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomMechanisms, ConstraintsHoldAndDoNoWork) {
  Fixture f(GetParam());
  const Vector& v = f.conditions.state.v;
  EXPECT_LT(f.conditions.residuals.position, 1e-10);  // tolerance of the start
  EXPECT_LT(f.conditions.residuals.velocity, 1e-10);
  const Vector& reaction = f.conditions.acceleration.reaction;
  EXPECT_NEAR(reaction.dot(v), 0.0, 1e-9 * (1.0 + reaction.norm() * v.norm()));  // the same, times the force
}

TEST_P(RandomMechanisms, FormulationsAgree) {
  Fixture f(GetParam());
  const Acceleration& expected = f.conditions.acceleration;
  for (const std::string& name : formulation_names()) {
    Dynamics dynamics(*f.system, name);
    dynamics.decide_rows(f.conditions.state);
    Acceleration a;
    if (name == "elimination" && f.dynamics.rank() > 0) continue;  // squares the condition: compared elsewhere
    ASSERT_TRUE(dynamics.solve(f.conditions.state, a)) << name << ": " << dynamics.explain(f.conditions.state);
    // ε times the condition of M and C, which random bodies let grow to 1e5
    EXPECT_LT((a.vdot - expected.vdot).norm(), 1e-9 * (1.0 + expected.vdot.norm())) << name;
    EXPECT_LT((a.reaction - expected.reaction).norm(), 1e-9 * (1.0 + expected.reaction.norm())) << name;
  }
}

/// Newton and Euler for every body: what its joints, gravity and the spring do is m a and the rate of angular momentum,
/// which are taken from differences of order 6 of the positions of its markers.
TEST_P(RandomMechanisms, ForcesHoldEveryBodyInBalance) {
  Fixture f(GetParam());
  const Mechanism& m = f.mechanism.model.mechanism;
  // with ω for the rate of the motion (hω)⁶/560 = 1e-13 of truncation, ε/(hω)² = 3e-13 of rounding
  const double h = 0.02 / (1.0 + f.conditions.state.v.lpNorm<Eigen::Infinity>() +
                           std::sqrt(f.conditions.acceleration.vdot.lpNorm<Eigen::Infinity>()));
  const int reach[] = {-3, -2, -1, 0, 1, 2, 3};
  const double first[] = {-1. / 60, 3. / 20, -3. / 4, 0, 3. / 4, -3. / 20, 1. / 60};
  const double second[] = {1. / 90, -3. / 20, 3. / 2, -49. / 18, 3. / 2, -3. / 20, 1. / 90};
  const Acceleration& a = f.conditions.acceleration;
  std::vector<std::vector<double>> values;
  for (const int i : reach) values.push_back(f.outputs(f.along(i * h), a));
  const std::vector<double>& now = values[3];
  const bool planar = f.mechanism.planar;
  const auto number = [](const Triple& triple) {
    Vector3 x = Vector3::Zero();
    for (std::size_t k = 0; k < triple.values.size(); ++k) x[static_cast<int>(k)] = std::stod(triple.values[k].text);
    return x;
  };
  const auto drawn_to_now = [&](const std::string& body, const Vector3& at) {  // a point fixed in a body
    if (body == "ground") return at;
    const auto given = std::ranges::find(m.bodies, body, &Body::name);
    const Vector3 c = f.triple(now, body + ".c");
    Matrix3 R = Matrix3::Identity();
    for (int k = 0; k < (planar ? 2 : 3); ++k) R.col(k) = f.triple(now, body + "." + "xyz"[k]) - c;
    return Vector3(c + R * (at - number(given->position)));
  };

  for (const Body& body : m.bodies) {
    Matrix3 R = Matrix3::Identity(), Rd = Matrix3::Zero(), Rdd = Matrix3::Zero();
    Vector3 acceleration = Vector3::Zero();
    const Vector3 c = f.triple(now, body.name + ".c");
    for (std::size_t i = 0; i < 7; ++i) {
      const Vector3 centre = f.triple(values[i], body.name + ".c");
      acceleration += second[i] / (h * h) * centre;
      for (int k = 0; k < (planar ? 2 : 3); ++k) {
        const Vector3 e = f.triple(values[i], body.name + "." + "xyz"[k]) - centre;
        Rd.col(k) += first[i] / h * e;
        Rdd.col(k) += second[i] / (h * h) * e;
        if (i == 3) R.col(k) = e;
      }
    }
    const auto axial = [](const Matrix3& A) {
      return Vector3(Vector3(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)) / 2.0);
    };
    const Vector3 omega = axial(Rd * R.transpose()), alpha = axial(Rdd * R.transpose());
    Matrix3 I = Matrix3::Zero();
    for (std::size_t k = 0; k < body.inertia.size(); ++k)
      I(planar ? 2 : static_cast<int>(k), planar ? 2 : static_cast<int>(k)) = std::stod(body.inertia[k].text);
    I = R * I * R.transpose();
    const double mass = std::stod(body.mass.text);
    Vector3 force = mass * (number(m.gravity) - acceleration);
    Vector3 moment = -(I * alpha + omega.cross(I * omega));
    double largest_force = force.norm(), largest_moment = moment.norm();
    const auto act = [&](const Vector3& at, const Vector3& F, const Vector3& torque) {
      const Vector3 N = torque + (at - c).cross(F);
      force += F, moment += N;
      largest_force = std::max(largest_force, F.norm()), largest_moment = std::max(largest_moment, N.norm());
    };
    for (const Joint& joint : m.joints) {
      if (joint.bodies[0].name != body.name && joint.bodies[1].name != body.name) continue;
      const double sign = joint.bodies[1].name == body.name ? 1.0 : -1.0;
      const Vector3 at =
          drawn_to_now(joint.bodies[1].name, number(joint.type == JointType::distance ? joint.to : joint.at));
      Vector3 torque = f.triple(now, joint.name + ".torque");
      if (planar) torque[2] = f.output(now, joint.name + ".torque");
      act(at, sign * f.triple(now, joint.name + ".force"), sign * torque);
    }
    for (const Spring& spring : m.springs)
      if (spring.bodies[1].name == body.name) {
        const Vector3 from = number(spring.from), to = drawn_to_now(body.name, number(spring.to)), e = to - from;
        act(to, -7.0 * (e.norm() - 0.4) * e.normalized(), Vector3::Zero());
      }
    EXPECT_LT(force.norm(), 1e-9 * (1.0 + largest_force)) << body.name;
    EXPECT_LT(moment.norm(), 1e-9 * (1.0 + largest_moment)) << body.name;
  }
}

TEST_P(RandomMechanisms, EnergyIsKept) {
  Fixture f(GetParam());
  struct Ends : Sink {
    void accept(const Sample& sample) override { last = sample.state; }
    State last;
  } ends;
  const IntegrateOptions options{.until = 0.2, .output = 0.1, .rtol = 1e-11, .atol = 1e-12};
  const double before = f.system->energy(f.conditions.state, *f.w).total;
  const double kinetic = f.system->energy(f.conditions.state, *f.w).kinetic;
  const maggi::Run run = integrate(f.dynamics, f.conditions.state, ends, options);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_NEAR(f.system->energy(ends.last, *f.w).total, before,
              1e-8 * (1.0 + kinetic));  // a hundred steps of 1e-11, lively
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMechanisms, testing::Range(0u, 40u));

}  // namespace
}  // namespace maggi::test
