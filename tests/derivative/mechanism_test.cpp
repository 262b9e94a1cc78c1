// A mechanism against differences of itself: C = ∂φ/∂v, φ = ḟ, γ, Ṁ, Ċ, and the power balance for h; with every joint
// in the tree, both ways round, and closing a loop between two bodies that float; and with formulas over all that a
// mechanism shows, at every level and with time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "io/toml/model_file.hpp"
#include "model/joint_entries.hpp"
#include "support/derivative_check.hpp"
#include "system/seam/mechanism_system.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi::test {
namespace {

constexpr double step = 1e-6;
constexpr double tolerance =
    1e-7;  // central differences: step² of truncation, ε/step = 2e-10 of rounding, lively terms

struct Case {
  std::string name, toml;
};

/// What a joint has besides the point.
std::string keys_of(const mechanism::JointEntry& joint, bool planar) {
  std::string keys;
  if (joint.needs_axis(planar)) keys += planar ? ", axis = [1, 2]" : ", axis = [1, 2, 3]";
  if (joint.keys.second_axis) keys += ", second_axis = [3, 0, -1]";
  if (joint.keys.to) keys += planar ? ", to = [0.4, 1.2]" : ", to = [0.4, 1.2, -0.3]";
  if (joint.keys.pitch) keys += ", pitch = 0.4";
  if (joint.keys.radius) keys += planar ? ", radius = 0.3, normal = [1, 2]" : ", radius = 0.3, normal = [0.1, 0.3, 1]";
  return keys;
}

/// All kinds of quantities, in constraints that are not linear, in forces with and without a potential.
const std::string spatial_formulas = R"toml(
  [joint]
  base = { universal = ["ground", "one"], at = [0.5, 0.3, 0.2], axis = [1, 0, 1], second_axis = [0, 1, 0] }
  ball = { spherical = ["one", "two"], at = [0.7, 0.3, 0.1] }
  rod = { distance = ["ground", "two"], at = [2, 0, 1], to = [1, 0.5, 0.2] }
  [constraint]
  place = { position = "base.angle_1*two.tip.x + sin(two.tip.z)*t - base.angle_2^2*two.centre.y + rod.length" }
  speed = { velocity = "two.wx*base.angle_1' + one.centre.y'*strut.length - t*ball.wz*one.wy" }
  jerk = { acceleration = "two.tip.x'' + two.wy'*base.angle_1 - ball.wx'*t + rod.length''" }
  [driver]
  tip = { marker = "two.tip", follows = ["sin(t)", "t^2", "1"] }
  reach = { distance = ["one", "two"], from = [0, 1, 0], to = [1, 1, 1], follows = "1 + t^3" }
  [force]
  strut = { spring = ["two", "one"], from = [1, 1, 1], to = [0.1, -1, 0.4], stiffness = 20, force = "3*strut.length'" }
  mount = { bushing = ["one", "two"], at = [0.4, 0.1, 0.2], axis = [1, 1, 0], stiffness = [10, 20, 30], torsion_stiffness = [1, 2, 3], damping = [1, 1, 2] }
  push = { on = "two", at = [1, 2, 0], force = ["two.tip.x'", 0, "-base.angle_1'"], torque = ["two.wx", 0, 0] }
  jet = { on = "one", force = ["one.wx", "base.angle_2'", 0], torque = [0, "one.wz", 0], frame = "body" }
)toml";
const std::string planar_formulas = R"toml(
  [joint]
  base = { revolute = ["ground", "one"], at = [0.5, 0.3], limits = { lower = 0.05, upper = 0.2, stiffness = 30, damping = 2 } }
  guide = { prismatic = ["one", "two"], at = [0.7, 0.3], axis = [1, 3] }
  pin = { revolute = ["ground", "two"], at = [2, 1], start = 0.2 }
  [coupling]
  mesh = { sum = { base = 2, guide = -1, pin = 0.5 } }
  [constraint]
  place = { position = "base.angle*two.tip.x + sin(two.tip.y)*t - guide.distance^2 + pin.angle*two.angle" }
  speed = { velocity = "two.angle'*base.angle' + one.centre.y'*strut.length - t*guide.distance'" }
  [driver]
  turn = { joint = "pin", follows = "sin(t) + t^2" }
  [force]
  strut = { spring = ["two", "one"], from = [1, 1], to = [0.1, -1], stiffness = 20, force = "3*strut.length'" }
  mount = { bushing = ["one", "two"], at = [0.4, 0.1], axis = [1, 1], stiffness = [10, 20], torsion_stiffness = 3, damping = [1, 2] }
  push = { on = "two", at = [1, 2], force = ["two.tip.x'", "-base.angle'"], torque = "two.angle'" }
  jet = { on = "one", force = ["one.angle'", 0], frame = "body" }
  motor = { joint = "guide", force = "base.angle'*guide.distance" }
)toml";

const std::string spatial_bodies = R"(
  gravity = [0.3, -9.81, 2.0]
  [body.one]
  mass = 1.5
  inertia = [0.3, 0.4, 0.5, 0.02, -0.03, 0.05]
  position = [0.2, 0.1, -0.4]
  [body.two]
  mass = 0.7
  inertia = [0.11, 0.12, 0.13]
  position = [1.1, 0.6, 0.3]
  markers = { tip = [1.3, 0.2, 0.5] }
)";
const std::string planar_bodies = R"(
  dimension = 2
  gravity = [0.3, -9.81]
  [body.one]
  mass = 1.5
  inertia = 0.3
  position = [0.2, 0.1]
  [body.two]
  mass = 0.7
  inertia = 0.12
  position = [1.1, 0.6]
  markers = { tip = [1.3, 0.2] }
)";
const std::string spatial_spring =
    "[force]\nstrut = { spring = [\"two\", \"one\"], from = [1, 1, 1], to = [0.1, -1, 0.4], stiffness = 20, force = 3, "
    "damping = 0.7 "
    "}\n";
const std::string planar_spring =
    "[force]\nstrut = { spring = [\"two\", \"one\"], from = [1, 1], to = [0.1, -1], stiffness = 20, force = 3, damping "
    "= 0.7 }\n";

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const bool planar : {false, true}) {
    const std::string at = planar ? "at = [0.5, 0.3]" : "at = [0.5, 0.3, 0.2]";
    const std::string& bodies = planar ? planar_bodies : spatial_bodies;
    const std::string& spring = planar ? planar_spring : spatial_spring;
    const char* form = planar ? "planar" : "spatial";
    for (const mechanism::JointEntry& joint : mechanism::joint_entries()) {
      if (!joint.kind(planar)) continue;
      const std::string type(joint.name()), rest = at + keys_of(joint, planar);
      result.push_back({fmt::format("{}_{}_closes", form, type),
                        fmt::format("{}[joint]\nlink = {{ {} = [\"one\", \"two\"], {}, loop = true }}\n{}", bodies,
                                    type, rest, spring)});
      if (!joint.kind(planar)->in_tree) continue;
      result.push_back({fmt::format("{}_{}_in_tree", form, type),
                        fmt::format("{}[joint]\nbase = {{ {} = [\"ground\", \"one\"], {} }}\n"
                                    "link = {{ {} = [\"two\", \"one\"], {} }}\n{}",
                                    bodies, type, rest, type, rest, spring)});
    }
    result.push_back({fmt::format("{}_formulas", form), bodies + (planar ? planar_formulas : spatial_formulas)});
  }
  result.push_back({"spatial_disc_closes", spatial_bodies +
                                               "[joint]\nwheel = { rolling = [\"one\", \"two\"], at = [0.5, 0.3, 0.2], "
                                               "axis = [0.4, 1, 0.2], radius = 0.3, normal = [0.1, 0.3, 1] }\n"});
  return result;
}

class MechanismDerivative : public testing::TestWithParam<Case> {
 protected:
  MechanismDerivative()
      : system(MechanismSystem::make(parse_model(GetParam().toml, "test.toml"))),
        workspace(system->workspace()),
        shape(system->shape()) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    const auto arbitrary = [&](double size) {
      return Vector(Vector::NullaryExpr(shape.n(), [&] { return size * normal(random); }));
    };
    state.t = 0.7;
    state.q = system->start().origin.size() > 0 ? system->start().origin : Vector(Vector::Zero(shape.nq()));
    const Vector away = arbitrary(0.4);
    system->move(state.q.data(), away.data());
    state.v = arbitrary(1.0);
    a = arbitrary(1.0);
  }

  State along(double time) const {
    State s = state;
    s.t += time;
    const Vector delta = time * state.v;
    system->move(s.q.data(), delta.data());  // even orders in time cancel
    s.v += time * a;
    return s;
  }
  Matrix M(const State& s) {
    system->acceleration(s, *workspace);
    Matrix result(shape.n(), shape.n());
    shape.M.scatter(workspace->terms.M, result);
    return result;
  }
  Matrix C(const State& s) {
    system->acceleration(s, *workspace);
    Matrix result(shape.m(), shape.n());
    shape.C.scatter(workspace->terms.C, result);
    return result;
  }
  Vector f(const State& s) {
    system->position(s, *workspace);
    return workspace->terms.f;
  }
  Vector phi(const State& s) {
    system->velocity(s, *workspace);
    return workspace->terms.phi;
  }

  std::unique_ptr<MechanismSystem> system;
  std::unique_ptr<Workspace> workspace;
  const Shape& shape;
  State state;
  Vector a;
};

TEST_P(MechanismDerivative, CoordinateRatesAreThoseOfMove) {
  Vector qdot(shape.nq());
  system->coordinate_rates(state.q.data(), state.v.data(), qdot.data());
  const Vector difference = (along(step).q - along(-step).q) / (2 * step);
  EXPECT_LT((difference - qdot).norm(), tolerance * (1.0 + qdot.norm()));
}

TEST_P(MechanismDerivative, ConstraintsAtAllLevels) {
  if (shape.m() == 0) return;
  const int rows = shape.s_p + shape.s_v;
  const Vector rate = (f(along(step)) - f(along(-step))) / (2 * step);
  EXPECT_LT((rate - phi(state).head(shape.s_p)).norm(), tolerance * (1.0 + rate.norm()));
  const Matrix exact = C(state);
  for (int j = 0; j < shape.n(); ++j) {
    State faster = state, slower = state;
    faster.v[j] += step, slower.v[j] -= step;
    const Vector slope = (phi(faster) - phi(slower)) / (2 * step);
    EXPECT_LT((slope - exact.col(j).head(rows)).norm(), tolerance * (1.0 + slope.norm())) << shape.velocities[j].name;
  }
  const Vector second = (phi(along(step)) - phi(along(-step))) / (2 * step);
  C(state);
  const Vector expected = (exact * a - workspace->terms.gamma).head(rows);
  EXPECT_LT((second - expected).norm(), tolerance * (1.0 + expected.norm() + workspace->terms.gamma.norm()));
}

TEST_P(MechanismDerivative, AccelerationRowsAreWhatTheyContain) {
  if (shape.s_a == 0) return;
  // ψ = C v̇ − γ, where both sides come from different stages of the evaluation; exact but for rounding
  const Vector none = Vector::Zero(shape.m());
  const Matrix exact = C(state);
  const Vector expected = (exact * a - workspace->terms.gamma).tail(shape.s_a);
  system->nonlinear_rows(state, a.data(), none.data(), *workspace);
  EXPECT_LT((workspace->terms.psi - expected).norm(), 1e-12 * (1.0 + expected.norm()));
}

TEST_P(MechanismDerivative, RatesOfMassAndConstraintMatrix) {
  const Matrix M_difference = (M(along(step)) - M(along(-step))) / (2 * step);
  const Matrix C_difference = (C(along(step)) - C(along(-step))) / (2 * step);
  system->rates(state, a.data(), *workspace);
  Matrix Mdot(shape.n(), shape.n()), Cdot(shape.m(), shape.n());
  shape.M.scatter(workspace->terms.Mdot, Mdot);
  shape.C.scatter(workspace->terms.Cdot, Cdot);
  EXPECT_LT((M_difference - Mdot).norm(), tolerance * (1.0 + Mdot.norm()));
  EXPECT_LT((C_difference - Cdot).norm(), tolerance * (1.0 + Cdot.norm()));
}

TEST_P(MechanismDerivative, ConstraintsAreFunctionsOfTheLocalCoordinates) {
  if (shape.nx() == 0) return;
  ask_for_J(shape, workspace->terms);
  const auto J = [&](const State& s) {
    system->velocity(s, *workspace);
    Matrix result(shape.nx(), shape.n());
    shape.J.scatter(workspace->terms.J, result);
    return result;
  };
  const Matrix difference = (J(along(step)) - J(along(-step))) / (2 * step), local = J(state);
  system->rates(state, a.data(), *workspace);
  Matrix Jdot(shape.nx(), shape.n());
  shape.J.scatter(workspace->terms.Jdot, Jdot);
  EXPECT_LT((difference - Jdot).norm(), tolerance * (1.0 + Jdot.norm()));
  const Matrix rows = C(state);  // C = Ĉ J
  const Matrix rest = rows.transpose() - local.transpose() * local.transpose().completeOrthogonalDecomposition().solve(
                                                                 Matrix(rows.transpose()));
  EXPECT_LT(rest.norm(), 1e-12 * (1.0 + rows.norm()));  // rounding of a least-squares solve
}

TEST_P(MechanismDerivative, EnergyBelongsToMassAndForces) {
  const Matrix mass = M(state);
  const Vector h = workspace->terms.h;
  const Energy energy = system->energy(state, *workspace);
  EXPECT_NEAR(energy.kinetic, state.v.dot(mass * state.v) / 2, 1e-12 * (1.0 + energy.kinetic));  // sums of few terms
  const double difference =
      (system->energy(along(step), *workspace).total - system->energy(along(-step), *workspace).total) / (2 * step);
  const double power = energy.power + state.v.dot(mass * a - h);  // dE/dt for any v̇
  EXPECT_NEAR(difference, power, tolerance * (1.0 + std::abs(power) + h.norm() * state.v.norm()));
}

TEST_P(MechanismDerivative, ForcesAreThoseOfLagrange) {
  // h = −∂V/∂q at rest, component by component: the power balance alone would miss a force without power
  state.v.setZero();
  M(state);
  const Vector h = workspace->terms.h;
  for (int j = 0; j < shape.n(); ++j) {
    State up = state, down = state;
    const Vector ahead = step * Vector::Unit(shape.n(), j), behind = -ahead;
    system->move(up.q.data(), ahead.data());
    system->move(down.q.data(), behind.data());
    const double slope =
        (system->energy(up, *workspace).potential - system->energy(down, *workspace).potential) / (2 * step);
    EXPECT_NEAR(h[j], -slope, tolerance * (1.0 + h.norm()));
  }
}

TEST_P(MechanismDerivative, ByPositionsAndVelocities) {
  expect_derivatives(*system, HeldState::near(*system, state, 0.0, 5));
}

INSTANTIATE_TEST_SUITE_P(Joints, MechanismDerivative, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

/// What the freedoms S of a joint in the tree do, the wrenches W that it holds where it closes a loop do not see, W·S =
/// 0; together they are all motions of one body against another [BlajerBestleSchiehlen1994].
TEST(JointMatrices, FreedomsAndWrenchesAreComplements) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (const bool planar : {false, true})
    for (const mechanism::JointEntry& joint : mechanism::joint_entries()) {
      if (!joint.kind(planar) || !joint.kind(planar)->in_tree) continue;
      const std::string type(joint.name());
      const std::string ends = fmt::format("= [\"one\", \"two\"], at = {}{}", planar ? "[0.5, 0.3]" : "[0.5, 0.3, 0.2]",
                                           keys_of(joint, planar));
      const std::string bodies = (planar ? planar_bodies : spatial_bodies) + "[joint]\n";
      const std::string again = fmt::format("again = {{ {} {}, loop = true }}\n", type, ends);
      const auto both = MechanismSystem::make(
          parse_model(bodies + fmt::format("link = {{ {} {} }}\n", type, ends) + again, "test.toml"));
      const auto closes = MechanismSystem::make(parse_model(bodies + again, "test.toml"));
      const auto w = both->workspace(), w_closes = closes->workspace();
      const Shape& shape = both->shape();
      const int all = planar ? 3 : 6;
      EXPECT_EQ(shape.n() - all + shape.m(), all) << type;  // freedoms and rows, beside the body that floats
      EXPECT_EQ(closes->shape().m(), shape.m());
      for (int pose = 0; pose < 5; ++pose) {
        State state{0.0, Vector::Zero(shape.nq()), Vector::Zero(shape.n())};
        if (both->start().origin.size() > 0) state.q = both->start().origin;
        const Vector away = Vector::NullaryExpr(shape.n(), [&] { return normal(random); });
        both->move(state.q.data(), away.data());
        both->position(state, *w);
        if (shape.m() == 0) continue;
        EXPECT_LT(largest(w->terms.C), 1e-12) << type;  // rounding, of metres and radians
        EXPECT_LT(largest(w->terms.f), 1e-12) << type;
        const State at = both->absolute(state);
        closes->position(at, *w_closes);
        Matrix C(shape.m(), closes->shape().n());
        closes->shape().C.scatter(w_closes->terms.C, C);
        EXPECT_LT(largest(w_closes->terms.f), 1e-12) << type;
        EXPECT_EQ(Eigen::ColPivHouseholderQR<Matrix>(C).rank(), shape.m()) << type;
      }
    }
}

}  // namespace
}  // namespace maggi::test
