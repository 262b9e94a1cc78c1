// One-sided constraints: when they are hit, how they rebound, when they come to rest, press and let go.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "dynamics/complementarity.hpp"
#include "maggi/error.hpp"
#include "support/motion.hpp"

namespace maggi {
namespace {

using test::every_integrator;
using test::Motion;
using test::Recording;
using test::Stored;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double g = 9.81;

Model ball(double restitution, double height = 1.0) {
  return Motion::from_text(fmt::format(R"toml(
[coordinates]
y = {{ start = {}, speed = 0 }}
[energy]
kinetic = "1/2*2*y'^2"
potential = "2*9.81*y"
[constraint]
floor = {{ position = "y", unit = "m", one_sided = true, restitution = {} }}
)toml",
                                       height, restitution));
}

// falls from 1 m in √(2/g), and flies for 2 eᵏ v/g after the k-th impact
TEST(Stops, BallBouncesAtTheTimesOfTheClosedFormWithEveryIntegrator) {
  const double first = std::sqrt(2 / g), v = std::sqrt(2 * g), e = 0.8;
  for (const IntegrateOptions& options : every_integrator(3.0)) {
    Motion motion(ball(e));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << options.integrator.name() << ": " << run.explanation;
    double t = first;
    ASSERT_GE(run.events.size(), 5U) << options.integrator.name();
    for (int k = 0; t < 3.0; ++k) {
      ASSERT_LT(k, static_cast<int>(run.events.size())) << options.integrator.name();
      const EventRecord& impact = run.events[k];
      const double speed = v * std::pow(e, k);  // before it
      EXPECT_EQ(impact.name, "floor");
      EXPECT_EQ(impact.what, "impact");
      EXPECT_NEAR(impact.t, t, 1e-7) << options.integrator.name() << " impact "
                                     << k;  // a few flights, each to about 1e-8
      ASSERT_EQ(impact.impulses.size(), 1U);
      EXPECT_NEAR(impact.impulses[0].second, 2 * (1 + e) * speed, 1e-6) << options.integrator.name();
      EXPECT_NEAR(impact.energy_lost, (1 - e * e) * speed * speed, 1e-6) << options.integrator.name();
      t += 2 * e * speed / g;
    }
  }
}

// x = cos t against a wall at −½ without loss: hits at 2π/3, and every 4π/3 from there
TEST(Stops, TimesConvergeWithTheTolerance) {
  constexpr double pi = std::numbers::pi;
  for (const double rtol : {1e-5, 1e-7, 1e-9, 1e-11}) {
    Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 1, speed = 0 }
[energy]
kinetic = "1/2*x'^2"
potential = "1/2*x^2"
[constraint]
wall = { position = "x + 1/2", one_sided = true, restitution = 1 }
)toml"));
    Recording recording;
    IntegrateOptions options;
    options.until = 16.0;
    options.rtol = options.atol = rtol;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
    ASSERT_EQ(run.events.size(), 4U) << rtol;
    // an error of the tolerance per step, some sixty steps at the tightest
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(run.events[k].t, 2 * pi / 3 + k * 4 * pi / 3, 100 * rtol) << rtol;
  }
}

TEST(Stops, AHundredBouncesWithoutLossKeepTheEnergy) {
  Motion motion(ball(1.0));
  Recording recording;
  IntegrateOptions options;
  options.until = (2 * 100 + 0.5) * std::sqrt(2 / g);
  const maggi::IntegrationResult run = motion.run(options, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_EQ(run.events.size(), 100U);
  for (const Stored& s : recording.samples)
    EXPECT_NEAR(s.v[0] * s.v[0] / 2 + g * s.q[0], g, 1e-12 * g) << s.t;  // rounding of some steps for each flight
}

// the flights 2 eᵏ v/g add up: at rest after √(2/g) (1 + 2e/(1 − e))
TEST(Stops, EndlessBouncesComeToRestAndPress) {
  for (const IntegrateOptions& options : every_integrator(2.0)) {
    const double e = 0.5, rest = std::sqrt(2 / g) * (1 + 2 * e / (1 - e));
    Motion motion(ball(e));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << options.integrator.name() << ": " << run.explanation;
    const EventRecord& last = run.events.back();
    EXPECT_EQ(last.what, "impact, rests");
    EXPECT_THAT(last.on, ElementsAre("floor"));
    // a rebound of less than 4e-10 m is not made: its speed is below √(8e-10 g), the flights that follow it are missing
    const double missing = 2 * std::sqrt(8e-10 * g) / g / (1 - e);
    // rtol 1e-10 a step: 1e-8 over the flights, ten times that where BDF starts anew after each of them
    EXPECT_LT(last.t, rest + 1e-7) << options.integrator.name();
    EXPECT_GT(last.t, rest - missing - 1e-7) << options.integrator.name();
    // a gap of 1e-10 (1 + |q|) counts as closed, and what rests is projected; 2 g is the weight, to rounding
    EXPECT_NEAR(recording.last().q[0], 0.0, 1e-9);
    EXPECT_NEAR(recording.last().v[0], 0.0, 1e-9);
    EXPECT_NEAR(recording.last().lambda[0], 2 * g, 1e-12);
    EXPECT_LT(run.events.size(), 25U) << "log(1/4e-10)/log(1/e²) = 16 bounces";
  }
}

// a particle on a smooth sphere leaves it where it presses no longer: cos θ = 2/3 + v₀²/(3 g R)
TEST(Stops, ParticleLeavesTheSphere) {
  const double leaves = std::acos(2.0 / 3 + 1 / (3 * g));
  double time = 0.0;  // ∫ dθ/θ̇ by Simpson's rule, θ̇² = v₀² + 2 g (1 − cos θ): smooth, the error is below 1e-12
  constexpr int parts = 2000;
  for (int k = 0; k <= parts; ++k) {
    const double weight = k == 0 || k == parts ? 1 : k % 2 == 1 ? 4 : 2;
    time += weight / std::sqrt(1 + 2 * g * (1 - std::cos(leaves * k / parts)));
  }
  time *= leaves / parts / 3;
  for (const IntegrateOptions& options : every_integrator(0.6)) {
    Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
y = { start = 1, speed = 0 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[constraint]
sphere = { position = "sqrt(x^2 + y^2) - 1", one_sided = true }
)toml"));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << options.integrator.name() << ": " << run.explanation;
    ASSERT_EQ(run.events.size(), 1U) << options.integrator.name();
    EXPECT_EQ(run.events[0].what, "released");
    EXPECT_THAT(run.events[0].off, ElementsAre("sphere"));
    // rtol 1e-10 over some hundred steps; the event is a zero of λ, which has ten times the error of the state
    EXPECT_NEAR(run.events[0].t, time, 1e-8) << options.integrator.name();
    const auto left = std::ranges::find(recording.samples, run.events[0].t, &Stored::t);
    EXPECT_NEAR(left->q[1], std::cos(leaves), 1e-7) << options.integrator.name();
    // free fall has no error but rounding; the sample is stored at a time that is known to 1e-10
    EXPECT_NEAR(std::next(left)->vdot[1], -g, 1e-9) << "falls freely";
    const double flight = 0.6 - left->t;
    const Vector fallen = left->q + flight * left->v - g / 2 * flight * flight * Vector::Unit(2, 1);
    EXPECT_NEAR((recording.last().q - fallen).norm(), 0.0, 1e-9) << "on a parabola, exact for all but rounding";
  }
}

// from 60° at rest to a wall at the vertical: a quarter of the period; back and again without loss: half a period more
TEST(Stops, PendulumAgainstAWallWithAllUnknownsAndDriftControls) {
  const double quarter = std::comp_ellint_1(0.5) / std::sqrt(g);
  for (const auto& [unknowns, drift] : std::vector<std::pair<std::string, std::string>>{{"velocities", "projection"},
                                                                                        {"velocities", "baumgarte"},
                                                                                        {"velocities", "pi"},
                                                                                        {"velocities", "none"},
                                                                                        {"tangent", "projection"},
                                                                                        {"independent", "none"}}) {
    Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0.8660254037844386, speed = 0 }
y = { guess = -0.5 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[constraint]
rod = { position = "x^2 + y^2 = 1" }
wall = { position = "x", one_sided = true, restitution = 1 }
)toml"));
    Recording recording;
    IntegrateOptions options;
    options.until = 6 * quarter;
    options.rtol = 1e-10;
    options.atol = 1e-12;
    options.unknowns = unknowns;
    options.drift = drift;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << unknowns << " " << drift << ": " << run.explanation;
    ASSERT_EQ(run.events.size(), 3U) << unknowns << " " << drift;
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(run.events[k].t, (1 + 2 * k) * quarter, 1e-7) << unknowns << " " << drift;  // 1e-10 a step, drift
    EXPECT_NEAR(run.events[0].impulses.at(1).second, 2 * std::sqrt(g), 1e-7) << "v = √(2 g l (1 − cos 60°)) turns";
  }
}

// a block on two supports, a to its left and right:  J = 0.1, m = 2
Model block(const std::string& torque, double restitution, double height) {
  return Motion::from_text(fmt::format(R"toml(
[coordinates]
y = {{ start = {}, speed = 0 }}
tilt = {{ start = 0, speed = 0 }}
[energy]
kinetic = "1/2*(2*y'^2 + 0.1*tilt'^2)"
potential = "2*9.81*y"
[generalised_force]
tilt = "{}"
[constraint]
left = {{ position = "y - 0.3*sin(tilt)", one_sided = true, restitution = {} }}
right = {{ position = "y + 0.3*sin(tilt)", one_sided = true, restitution = {} }}
)toml",
                                       height, torque, restitution, restitution));
}

TEST(Stops, ABlockLandsOnTwoSupportsAtOnce) {
  for (const double e : {0.0, 0.4}) {
    Motion motion(block("0", e, 0.5));
    Recording recording;
    const maggi::IntegrationResult run = motion.run({.until = 2.0}, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
    ASSERT_GE(run.events.size(), 2U);
    const double v = std::sqrt(g);
    EXPECT_EQ(run.events[0].t, run.events[1].t);
    // free fall, quadratic in t, is exact but for rounding; a gap is closed to 1e-10 (1 + |q|), over a speed of 3 m/s
    EXPECT_NEAR(run.events[0].t, std::sqrt(1 / g), 1e-9);
    ASSERT_EQ(run.events[0].impulses.size(), 2U) << "one jump, told once";
    EXPECT_NEAR(run.events[0].impulses[0].second, (1 + e) * v, 1e-9) << "m v (1 + e)/2";
    EXPECT_NEAR(run.events[0].impulses[1].second, (1 + e) * v, 1e-9);
    EXPECT_NEAR(run.events[0].energy_lost, (1 - e * e) * g, 1e-9);
    EXPECT_NEAR(recording.last().q[1], 0.0, 1e-9);
    EXPECT_NEAR(recording.last().lambda[0], g, 1e-9) << "m g/2 each";
    EXPECT_NEAR(recording.last().lambda[1], g, 1e-9);
  }
}

// a growing torque lifts it from its left support when it is m g a = 2·9.81·0.3
TEST(Stops, ASupportLetsGoWhenTheTorqueTurnsTheBlock) {
  Motion motion(block("6*t", 0.0, 0.0));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({.until = 1.2}, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  ASSERT_FALSE(run.events.empty());
  EXPECT_EQ(run.events[0].name, "right");
  EXPECT_EQ(run.events[0].what, "released");
  // at rest nothing is integrated: the time is a zero of a linear λ, located to 1e-10 of the step and better
  EXPECT_NEAR(run.events[0].t, 0.981, 1e-10);
  EXPECT_GT(recording.last().q[1], 0.01);
  EXPECT_EQ(recording.last().lambda[1], 0.0);
  EXPECT_GT(recording.last().lambda[0], 0.0);
}

// falls on one support first: Λ (1/m + a²/J cos²) = (1 + e) v, then on the other
TEST(Stops, ATiltedBlockComesToRestOnBoth) {
  Model model = block("0", 0.3, 0.5);
  model.coordinates[1].start = 0.2;
  Motion motion(model);
  Recording recording;
  const maggi::IntegrationResult run = motion.run({.until = 5.0}, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_EQ(run.events[0].name, "left");
  const double a = 0.3 * std::cos(0.2), v = std::sqrt(2 * g * (0.5 - 0.3 * std::sin(0.2)));
  // rtol 1e-8, of a fall that is quadratic in t, and a gap closed to 1e-10 (1 + |q|) over a speed of 3 m/s
  EXPECT_NEAR(run.events[0].impulses.at(0).second, 1.3 * v / (1 / 2.0 + a * a / 0.1), 1e-8);
  // it rests on gaps of 1e-10 (1 + |q|) each, 0.3 m beside the middle; λ is g but for the angle that is left
  EXPECT_NEAR(recording.last().q.norm(), 0.0, 1e-8);
  EXPECT_NEAR(recording.last().lambda[0], g, 1e-7);
  EXPECT_NEAR(recording.last().lambda[1], g, 1e-7);
}

// a piston that comes with 1 m/s gives energy: v⁺ = −e v⁻ + (1 + e) 1 m/s
TEST(Stops, AMovingStopMayPush) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 1, speed = -2 }
[energy]
kinetic = "1/2*x'^2"
[constraint]
piston = { position = "x - t", one_sided = true, restitution = 1 }
)toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({}, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  ASSERT_EQ(run.events.size(), 1U);
  // the motion is linear in t: rounding only, of speeds up to 4 m/s and energies up to 8 J
  EXPECT_NEAR(run.events[0].t, 1.0 / 3, 1e-14);
  EXPECT_NEAR(recording.last().v[0], 4.0, 1e-13);
  EXPECT_NEAR(run.events[0].energy_lost, -6.0, 1e-12);
}

// nothing acts, nothing presses: it slides along, and lifts off when something pulls
TEST(Stops, TouchingWithoutForceIsNoContradiction) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
y = { start = 0, speed = 0 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
[generalised_force]
y = "max(0, x - 0.5)"
[constraint]
floor = { position = "y", one_sided = true }
)toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({}, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].what, "released");
  // λ = 0 before: what decides is when x − ½ exceeds the rounding of the forces, and rtol 1e-8 of y over it
  EXPECT_NEAR(run.events[0].t, 0.5, 1e-6);
  EXPECT_NEAR(recording.last().q[1], std::pow(0.5, 3) / 6, 1e-7);  // y'' = t − ½
}

std::string refusal(const Model& model, const std::string& integrator = "dopri5") {
  try {
    Motion motion(model);
    Recording recording;
    IntegrateOptions options;
    options.integrator = integrator;
    motion.run(options, recording);
  } catch (const Error& error) { return error.what(); }
  return "";
}

TEST(Stops, TheStartMustBeOnTheRightSide) {
  EXPECT_EQ(
      refusal(ball(0.5, -0.02)),
      "test.toml:8:1: \"floor\" is violated by 0.02 m at the start (what is one-sided must not be negative; begin "
      "on its other side)");
  Model model = ball(0.5, 0.0);
  model.coordinates[0].speed = -3.0;
  EXPECT_EQ(
      refusal(model),
      "test.toml:8:1: \"floor\" is hit at the start: no gap is left, and it closes with 3 m/s (begin with a gap, or "
      "with the speeds after the impact)");
}

TEST(Stops, RestsAtTheStartIfItPresses) {
  Motion motion(ball(0.5, 0.0));
  Recording recording;
  const Mode mode = motion.dynamics.mode();
  const maggi::IntegrationResult run = motion.run({}, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_TRUE(run.events.empty());
  // the weight and, below, a flight that is quadratic in t: tens of roundings of numbers of order ten
  EXPECT_NEAR(recording.samples.front().lambda[0], 2 * g, 1e-12);
  EXPECT_EQ(recording.last().q[0], 0.0);
  EXPECT_TRUE(motion.dynamics.mode() == mode);

  Model thrown = ball(0.5, 0.0);
  thrown.coordinates[0].speed = 1.0;
  Motion flies(thrown);
  Recording flight;
  // as above; v falls from 1 m/s to −1 m/s, so that rounding of the gap is no larger in the time
  EXPECT_NEAR(flies.run({}, flight).events.at(0).t, 2 / g, 1e-12);
  EXPECT_EQ(flight.samples.front().lambda[0], 0.0);
}

// on a floor that it could leave, v falls by μ g t until it stops at 1/(2 μ g), after 1/(μ g)
TEST(Stops, FrictionOnAFloorBrakes) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
y = { start = 0, speed = 0 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[constraint]
floor = { position = "y", one_sided = true }
[friction]
rubs = { on = "floor", along = "x'", coefficient = 0.2 }
)toml"));
  Recording recording;
  IntegrateOptions options;
  options.until = 1.0;
  const maggi::IntegrationResult run = motion.run(options, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].what, "sticks");
  EXPECT_NEAR(run.events[0].t, 1 / (0.2 * g), 1e-12);  // a polynomial of second degree: rounding
  EXPECT_NEAR(recording.last().q[0], 1 / (2 * 0.2 * g), 1e-12);
  EXPECT_NEAR(recording.last().lambda[0], g, 1e-12);
}

// M random, a spring to the origin, stops around it with different restitutions, and one rod
TEST(Stops, RandomSystemsStayComplementaryAndGainNoEnergy) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::uniform_int_distribution<int> size(1, 4);
  long impacts = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const int n = size(random), stops = size(random) + 1;
    const Matrix A = Matrix::NullaryExpr(n, n, [&] { return number(random); });
    const Matrix M = A * A.transpose() + 0.2 * Matrix::Identity(n, n);
    Model model;
    model.mass.resize(n);
    for (int i = 0; i < n; ++i) {
      Coordinate q;
      q.name = "q" + std::to_string(i);
      q.start = 0.0;
      q.speed = 2 * number(random);
      model.coordinates.push_back(q);
      model.force.emplace_back(fmt::format("-4*{} - 0.1*{}' {:+.3g}", q.name, q.name, 2 * number(random)));
      for (int j = 0; j < n; ++j) model.mass[i].emplace_back(M(i, j));
    }
    for (int k = 0; k < stops; ++k) {
      Constraint stop;
      stop.name = "stop" + std::to_string(k);
      stop.formula.text = "0.2";
      for (int j = 0; j < n; ++j) stop.formula.text += fmt::format("{:+.17g}*q{}", number(random), j);
      stop.one_sided = true;
      stop.restitution = 0.9 * std::abs(number(random));
      model.constraints.push_back(stop);
    }
    Motion motion(model);
    Recording recording;
    const maggi::IntegrationResult run = motion.run({.until = 5.0}, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << trial << ": " << run.explanation;
    for (const Stored& s : recording.samples) {
      motion.system.position({s.t, s.q.data(), s.v.data()}, motion.dynamics.workspace());
      const Vector& f = motion.dynamics.workspace().terms.f;
      // watched to 1e-10 (1 + |q|); inside a step the interpolated state may be wrong by the tolerance
      for (Eigen::Index i = 0; i < f.size(); ++i) {
        EXPECT_GE(f[i], -1e-8) << trial << " at " << s.t;
        EXPECT_GE(s.lambda[i], -1e-7) << trial << " at " << s.t;
        // λ of some N, which act only where f is closed to 1e-10 (1 + |q|)
        EXPECT_LE(f[i] * s.lambda[i], 1e-8) << trial << " at " << s.t;
      }
    }
    for (const EventRecord& event : run.events) {
      impacts += event.impulses.empty() ? 0 : 1;
      EXPECT_GE(event.energy_lost, -1e-10) << trial << " at " << event.t;
      // what stops a rebound that cannot be told from rest may pull: below √(8e-10 (1 + |q|) |f̈|) times a mass
      for (const auto& [name, impulse] : event.impulses) EXPECT_GE(impulse, -1e-3) << trial;
    }
  }
  EXPECT_GT(impacts, 200) << "else it does not show what it says";
}

// z ≥ 0, w = A z + b ≥ 0, zᵀw = 0 for A = BᵀB, also singular; b = w − A z of a known solution
TEST(Complementarity, RandomProblemsAreSolved) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::uniform_int_distribution<int> size(1, 6);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = size(random), rank = size(random);
    const Matrix B = Matrix::NullaryExpr(rank, n, [&] { return number(random); }), A = B.transpose() * B;
    Vector z(n), w(n);
    for (int i = 0; i < n; ++i) {
      const double value = number(random);
      z[i] = std::max(0.0, value), w[i] = std::max(0.0, -value);
    }
    const Vector b = w - A * z;
    Vector found;
    ASSERT_TRUE(solve_complementarity(A, b, found)) << trial;
    const Vector rest = A * found + b;
    // where rows oppose each other exactly, they give way by 1e-9 z, and z is large
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(found[i], 0.0) << trial;
      EXPECT_GE(rest[i], -1e-7) << trial;
    }
    // zᵀw is z times what a row gives way
    EXPECT_NEAR(found.dot(rest), 0.0, 1e-7 * (1 + found.norm())) << trial;
  }
  Vector none;
  EXPECT_FALSE(solve_complementarity(Matrix::Zero(1, 1), Vector::Constant(1, -1.0), none));
}

TEST(Complementarity, WhatIsNotANumberHasNoSolution) {
  Vector z;
  for (int n = 1; n <= 4; ++n)
    for (int i = 0; i < n; ++i) {
      Matrix A = Matrix::Identity(n, n);
      Vector b = Vector::Ones(n);
      ASSERT_TRUE(solve_complementarity(A, b, z));
      b[i] = NAN;
      EXPECT_FALSE(solve_complementarity(A, b, z)) << i << " of " << n;
      b[i] = -1.0;
      A(i, 0) = NAN;
      EXPECT_FALSE(solve_complementarity(A, b, z)) << i << " of " << n;
    }
}

// x = t + t²/4 by an acceleration constraint; the floor is hit at t = √(2/g), and its friction pulls at the body with
// the impulse μ √(2 g), which the constraint must take
TEST(Stops, AccelerationRowsHoldDuringAnImpact) {
  const double mu = 0.3;
  for (const IntegrateOptions& options : every_integrator(1.0)) {
    if (options.integrator == "ida") continue;  // it has no friction
    Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
y = { start = 1, speed = 0 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[constraint]
motor = { acceleration = "x'' - 0.5" }
floor = { position = "y", one_sided = true, friction = { coefficient = 0.3, along = "x'" } }
)toml"));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << options.integrator.name() << ": " << run.explanation;
    EXPECT_NEAR(recording.last().q[0], 1.25, 1e-8) << options.integrator.name();  // as every_integrator() promises
    EXPECT_NEAR(recording.last().v[0], 1.5, 1e-8) << options.integrator.name();
    ASSERT_FALSE(run.events.empty());
    double of_motor = 0.0;
    for (const auto& [name, impulse] : run.events[0].impulses)
      if (name == "motor") of_motor = impulse;
    EXPECT_NEAR(of_motor, mu * std::sqrt(2 * g), 1e-7) << options.integrator.name();  // the time is good to 1e-8
  }
}

// ψ = 0.1 y'' + z'' + z''³/20 says nothing about jumps of y' while z'' is bounded
TEST(Stops, AnImpactOnWhatIsNonlinearInAccelerationsIsRefused) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
y = { start = 1, speed = 0 }
z = { start = 0, speed = 0 }
[energy]
kinetic = "1/2*(y'^2 + z'^2)"
potential = "9.81*y"
[constraint]
motor = { acceleration = "0.1*y'' + z'' + z''^3/20 - 1" }
floor = { position = "y", one_sided = true }
)toml"));
  Recording recording;
  std::string said;
  try {
    const maggi::IntegrationResult run = motion.run({}, recording);
    EXPECT_NE(run.outcome, Outcome::reached_end);
    said = run.explanation;
  } catch (const Error& error) { said = error.what(); }
  EXPECT_THAT(said, HasSubstr("velocities in \"motor\" jump, which is nonlinear in their accelerations"));
}

}  // namespace
}  // namespace maggi
