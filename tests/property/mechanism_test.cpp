// Random mechanisms, a tree with further joints across it, at a random consistent state: constraints hold and do no
// work, all formulations agree, reported forces hold every body in balance, energy is kept.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "base/names.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "maggi/expert/formulations.hpp"
#include "start/initial_conditions.hpp"
#include "support/balance.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::test {
namespace {

using Vector3 = Eigen::Vector3d;

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
    model = with_probes(model);
  }

  double normal(double size = 1.0) { return size * std::normal_distribution<double>()(random); }

  Triple point(double size) {
    Triple triple;
    for (int k = 0; k < (planar ? 2 : 3); ++k) triple.values.emplace_back(normal(size));
    return triple;
  }

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
  for (const std::string& name : formulation_choices()) {
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

TEST_P(RandomMechanisms, ForcesHoldEveryBodyInBalance) {
  Fixture f(GetParam());
  expect_balance(f.mechanism.model, *f.system, f.conditions.state, f.conditions.acceleration, 1e-9);
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
  const maggi::IntegrationResult run = integrate(f.dynamics, f.conditions.state, ends, options);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_NEAR(f.system->energy(ends.last, *f.w).total, before,
              1e-8 * (1.0 + kinetic));  // a hundred steps of 1e-11, lively
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMechanisms, testing::Range(0u, 40u));

}  // namespace
}  // namespace maggi::test
