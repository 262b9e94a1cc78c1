// Events: where they are found, what they switch, how velocities jump, and what is reported.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "maggi/error.hpp"
#include "support/available.hpp"
#include "support/motion.hpp"

namespace maggi {
namespace {

using test::every_integrator;
using test::Motion;
using test::Recording;
using test::Stored;
using testing::HasSubstr;

const char* const pendulum = R"toml(
[coordinates]
x = { start = -0.8660254037844386, speed = 0 }
y = { guess = -0.5 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[constraint]
rod = { position = "x^2 + y^2 = 1" }
[event]
low = { when = "x", stop = true }
)toml";

/// From 60° at rest to the vertical: a quarter of the period, K(sin 30°) √(l/g).
double quarter_period() { return std::comp_ellint_1(0.5) / std::sqrt(9.81); }

TEST(Events, TimeIsThatOfTheMotionWithEveryIntegrator) {
  for (const IntegrateOptions& options : every_integrator(2.0)) {
    Motion motion(Motion::from_text(pendulum));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::stopped) << options.integrator.name() << ": " << run.explanation;
    ASSERT_EQ(run.events.size(), 1U);
    EXPECT_EQ(run.events[0].name, "low");
    EXPECT_EQ(run.events[0].what, "stops the run");
    EXPECT_EQ(run.events[0].t, run.t);
    EXPECT_NEAR(run.t, quarter_period(), 1e-8) << options.integrator.name();  // what every_integrator() promises
    EXPECT_EQ(recording.last().t, run.t);
    EXPECT_NEAR(recording.last().q[0], 0.0, 1e-14) << "located to rounding on the state that is stored";
  }
}

TEST(Events, TimeConvergesWithTheTolerance) {
  std::vector<double> errors;
  for (const double rtol : {1e-5, 1e-7, 1e-9, 1e-11}) {
    Motion motion(Motion::from_text(pendulum));
    Recording recording;
    IntegrateOptions options;
    options.until = 2.0;
    options.rtol = rtol;
    options.atol = rtol;
    errors.push_back(std::abs(motion.run(options, recording).t - quarter_period()));
  }
  // the error of dopri5 per step is the tolerance; over the few dozen steps here it stays within ten of them
  EXPECT_LT(errors[0], 1e-4);
  EXPECT_LT(errors[1], 1e-6);
  EXPECT_LT(errors[2], 1e-8);
  EXPECT_LT(errors[3], 1e-10);
}

// two masses on a line, plastic collision:  v⁺ = (m₁v₁ + m₂v₂)/(m₁ + m₂),  Λ = ∓ μ (v₁ − v₂),  ΔT = μ (v₁ − v₂)²/2
const char* const collision = R"toml(
[coordinates]
x1 = { start = 0, speed = 3 }
x2 = { start = 1, speed = -1 }
[energy]
kinetic = "1/2*(2*x1'^2 + 6*x2'^2)"
[constraint]
couple = { position = "x1 - x2", unit = "m", active = false }
[event]
hit = { when = "x2 - x1", crossing = "falling", switch_on = ["couple"] }
)toml";

TEST(Events, SwitchingOnKeepsTheMomentumBalance) {
  for (const IntegrateOptions& options : every_integrator(1.0)) {
    Motion motion(Motion::from_text(collision));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << options.integrator.name() << ": " << run.explanation;
    ASSERT_EQ(run.events.size(), 1U) << options.integrator.name();
    const EventRecord& hit = run.events[0];
    EXPECT_EQ(hit.what, "switches on \"couple\"");
    EXPECT_THAT(hit.on, testing::ElementsAre("couple"));
    EXPECT_NEAR(hit.t, 0.25, 1e-12);  // the motion is linear in t: rounding only, Adams starts with tiny steps
    ASSERT_EQ(hit.impulses.size(), 1U);
    EXPECT_EQ(hit.impulses[0].first, "couple");
    EXPECT_NEAR(hit.impulses[0].second, -6.0, 1e-11);
    EXPECT_NEAR(hit.energy_lost, 12.0, 1e-11);
    EXPECT_NEAR(recording.last().v[0], 0.0, 1e-11);
    EXPECT_NEAR(recording.last().v[1], 0.0, 1e-11);
    EXPECT_NEAR(recording.last().q[0], 0.75, 1e-10);
  }
}

TEST(Events, StateIsStoredBeforeAndAfter) {
  Motion motion(Motion::from_text(collision));
  Recording recording;
  IntegrateOptions options;
  options.output = 0.1;
  ASSERT_EQ(motion.run(options, recording).outcome, Outcome::reached_end);
  ASSERT_EQ(recording.samples.size(), 13U) << "11 on the grid, 2 at the event";
  const Stored &before = recording.samples[3], &after = recording.samples[4];
  EXPECT_EQ(before.t, after.t);
  // the motion is linear in t: rounding only, of the solution for the impulse
  EXPECT_NEAR(before.v[0], 3.0, 1e-14);
  EXPECT_NEAR(after.v[0], 0.0, 1e-14);
  EXPECT_NEAR(before.q[0], after.q[0], 1e-15);
}

TEST(Events, TheModeIsTheSameAfterARunAsBefore) {
  Motion motion(Motion::from_text(collision));
  Recording first, second;
  const Mode mode = motion.dynamics.mode();
  const maggi::IntegrationResult one = motion.run({}, first);
  EXPECT_TRUE(motion.dynamics.mode() == mode);
  EXPECT_EQ(motion.dynamics.rank(), 0);
  const maggi::IntegrationResult two = motion.run({}, second);
  ASSERT_EQ(two.events.size(), one.events.size());
  EXPECT_EQ(two.events[0].t, one.events[0].t);
  EXPECT_EQ(second.last().q, first.last().q);
}

TEST(Events, APositionRowIsRefusedWhereItIsNotMet) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
[energy]
kinetic = "1/2*x'^2"
[constraint]
hook = { position = "x - 0.75", unit = "m", active = false }
[event]
early = { at = 0.5, switch_on = ["hook"] }
)toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({}, recording);
  EXPECT_EQ(run.outcome, Outcome::constraints_lost);
  EXPECT_EQ(run.explanation,
            "at t = 0.5 s event \"early\" cannot switch on \"hook\": it is not met there, the gap is -0.25 m");
  EXPECT_EQ(run.t, 0.5);
  EXPECT_TRUE(run.events.empty());
  EXPECT_EQ(recording.last().t, 0.5);
}

// a pendulum is let go at t = 0.3: from there the parabola of its velocity
TEST(Events, SwitchingOffMakesNoJump) {
  for (const IntegrateOptions& options : every_integrator(0.8)) {
    Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0.8, speed = 0 }
y = { guess = -0.6 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[constraint]
rod = { position = "x^2 + y^2 = 1" }
[event]
release = { at = 0.3, switch_off = ["rod"] }
)toml"));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
    ASSERT_EQ(run.events.size(), 1U);
    EXPECT_EQ(run.events[0].t, 0.3);
    EXPECT_TRUE(run.events[0].impulses.empty());
    EXPECT_EQ(run.events[0].energy_lost, 0.0);
    const auto after = std::ranges::find_if(recording.samples.rbegin(), recording.samples.rend(),
                                            [](const Stored& s) { return s.t == 0.3; });
    const Stored& let_go = *after;
    const Stored& held = *std::next(after);
    EXPECT_EQ(held.t, 0.3);
    EXPECT_EQ(held.v, let_go.v);
    EXPECT_GT(std::abs(held.lambda[0]), 1.0);
    EXPECT_EQ(let_go.lambda[0], 0.0);
    // free: rounding of the solution; then the flight is quadratic in t, integrated with rtol 1e-10 (RK4: 1e-3 s)
    EXPECT_NEAR(let_go.vdot[1], -9.81, 1e-13);
    const double t = 0.5;  // of flight
    // the flight: rtol 1e-10 over some hundred steps of the multistep methods
    EXPECT_NEAR(recording.last().q[0], let_go.q[0] + t * let_go.v[0], 1e-8);
    EXPECT_NEAR(recording.last().q[1], let_go.q[1] + t * let_go.v[1] - 9.81 / 2 * t * t, 1e-8);
  }
}

// a mass under a constant force is held in every second half period: ½ a (½ s)² are gained in each of the others, at
// whose end the velocity is lost
const char* const stop_and_go = R"toml(
[coordinates]
x = { start = 0, speed = 0 }
[energy]
kinetic = "1/2*x'^2"
potential = "-2*x"
[constraint]
brake = { velocity = "x'", active = false }
[event]
hold = { when = "sin(2*pi*t + pi)", crossing = "rising", switch_on = ["brake"] }
go = { when = "sin(2*pi*t + pi)", crossing = "falling", switch_off = ["brake"] }
)toml";

TEST(Events, SwitchBackAndForthWithEveryIntegrator) {
  for (IntegrateOptions options : every_integrator(5.25)) {
    options.max_step = 0.1;  // a sine may turn more than once in a long step
    if (options.integrator == "ida") options.rtol = 1e-8, options.atol = 1e-10;
    Motion motion(Motion::from_text(stop_and_go));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << options.integrator.name() << ": " << run.explanation;
    ASSERT_EQ(run.events.size(), 10U) << options.integrator.name();
    for (int k = 0; k < 10; ++k) {
      EXPECT_EQ(run.events[k].name, k % 2 == 0 ? "hold" : "go");
      EXPECT_NEAR(run.events[k].t, 0.5 * (k + 1), 1e-14 * (k + 2));  // rounding of the sine, over its slope 2π
      // the speed gained in half a second, rtol 1e-10, 1e-8 for IDA, over some ten steps
      if (k % 2 == 0) { EXPECT_NEAR(run.events[k].impulses.at(0).second, -1.0, 1e-7); }
    }
    // what IDA may leave with rtol 1e-8 over a hundred steps
    EXPECT_NEAR(recording.last().q[0], 5 * 0.25 + 0.0625, 1e-6) << options.integrator.name();
    EXPECT_NEAR(recording.last().v[0], 0.5, 1e-6) << options.integrator.name();
  }
}

// a bead slides along a wire, drawn by another one on a spring, and is caught: other unknowns have another size from
// there
TEST(Events, OtherUnknownsAndDriftControlsFollowTheRows) {
  const char* const bead = R"toml(
[coordinates]
x = { start = 0, speed = 1.5 }
y = { guess = 0 }
z = { start = 1, speed = 0 }
[energy]
kinetic = "1/2*(x'^2 + y'^2 + z'^2)"
potential = "9.81*y + 8*(z - x)^2"
[constraint]
wire = { position = "y - x^2/2" }
end = { position = "x - 0.3", active = false }
[event]
catch = { when = "x - 0.3", switch_on = ["end"] }
let_go = { at = 0.65, switch_off = ["end"] }
)toml";
  IntegrateOptions options;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  options.output = 0.1;
  Motion reference(Motion::from_text(bead));
  Recording expected;
  const maggi::IntegrationResult known = reference.run(options, expected);
  ASSERT_EQ(known.outcome, Outcome::reached_end);
  ASSERT_EQ(known.events.size(), 2U);
  for (const auto& [unknowns, drift] : std::vector<std::pair<std::string, std::string>>{{"velocities", "baumgarte"},
                                                                                        {"velocities", "pi"},
                                                                                        {"velocities", "none"},
                                                                                        {"tangent", "projection"},
                                                                                        {"tangent", "pi"},
                                                                                        {"independent", "none"}}) {
    for (const std::string& integrator : test::available({"dopri5", "dop853", "radau5", "rk4", "cvode-bdf"})) {
      Motion motion(Motion::from_text(bead));
      Recording recording;
      options.unknowns = unknowns;
      options.drift = drift;
      options.integrator = integrator;
      options.step = integrator == "rk4" ? 1e-3 : 0.0;
      const maggi::IntegrationResult run = motion.run(options, recording);
      ASSERT_EQ(run.outcome, Outcome::reached_end) << unknowns << " " << drift << " " << integrator << run.explanation;
      ASSERT_EQ(run.events.size(), 2U);
      // rtol 1e-10 over some hundred steps, at a speed of 1.5 m/s; a time that is given is met exactly but for rounding
      EXPECT_NEAR(run.events[0].t, known.events[0].t, 1e-8) << unknowns << " " << drift << " " << integrator;
      EXPECT_NEAR(run.events[1].t, 0.65, 1e-15);
      ASSERT_EQ(recording.samples.size(), expected.samples.size());
      for (std::size_t i = 0; i < expected.samples.size(); ++i) {
        // as accurate as the worst of them, BDF, is with these tolerances
        EXPECT_NEAR((recording.samples[i].q - expected.samples[i].q).norm(), 0.0, 1e-7)
            << unknowns << " " << drift << " " << integrator << " at " << recording.samples[i].t;
        EXPECT_NEAR((recording.samples[i].v - expected.samples[i].v).norm(), 0.0, 1e-6);  // v̇ is ten times v
      }
    }
  }
}

TEST(Events, NothingIsLeftToIntegrate) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
[energy]
kinetic = "1/2*x'^2"
[constraint]
drive = { position = "x - t^2", active = false }
[event]
catch = { when = "t^2 - x", crossing = "rising", switch_on = ["drive"] }
)toml"));
  Recording recording;
  IntegrateOptions options;
  options.until = 2.0;
  options.unknowns = "independent";
  options.drift = "none";
  const maggi::IntegrationResult run = motion.run(options, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  ASSERT_EQ(run.events.size(), 1U);
  // the motion is linear in t, then prescribed: rounding only
  EXPECT_NEAR(run.events[0].t, 1.0, 1e-14);
  EXPECT_NEAR(run.events[0].impulses.at(0).second, 1.0, 1e-12) << "a moving constraint may also push: from 1 to 2 m/s";
  EXPECT_NEAR(run.events[0].energy_lost, -1.5, 1e-12);
  EXPECT_NEAR(recording.last().q[0], 4.0, 1e-14);
  EXPECT_NEAR(recording.last().v[0], 4.0, 1e-14);
}

TEST(Events, SimultaneousOnesFireTogether) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1.1 }
y = { start = 0, speed = 1.1 }
[energy]
kinetic = "1/2*(x'^2 + 3*y'^2)"
[constraint]
left = { position = "x - 0.7", active = false }
right = { position = "y - 0.7", active = false }
[event]
second = { when = "7*y - 4.9", switch_on = ["right"] }
first = { when = "x^3 - 0.343", switch_on = ["left"] }
)toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({}, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  ASSERT_EQ(run.events.size(), 2U);
  EXPECT_EQ(run.events[0].t, run.events[1].t);
  EXPECT_THAT(run.events[0].impulses, testing::SizeIs(2)) << "one jump, told once";
  EXPECT_THAT(run.events[1].impulses, testing::IsEmpty());
}

// x = 0.3 + 0.6 t and th = t/2 reach their rows at t = 0.2. In polar coordinates the formula of one is at 1e-17 when
// the other has crossed
TEST(Events, OneThatIsAboutToCrossWhenAnotherCrossesIsNotMissed) {
  const double r = std::hypot(0.3, 0.5), phi = std::atan2(0.5, 0.3);
  Motion motion(Motion::from_text(fmt::format(R"toml(
[coordinates]
r = {{ start = {}, speed = {} }}
ph = {{ start = {}, speed = {} }}
th = {{ start = 0.0, speed = 0.5 }}
[define]
x = "r*cos(ph)"
y = "r*sin(ph)"
[energy]
kinetic = "x'^2 + y'^2 + 0.15*th'^2"
potential = "2*9.81*y"
[constraint]
wall = {{ position = "x - 0.42", active = false }}
hook = {{ position = "th - 0.1", active = false }}
[event]
hits = {{ when = "x - 0.42", crossing = "rising", switch_on = "wall" }}
hangs = {{ when = "th - 0.1", crossing = "rising", switch_on = "hook" }}
)toml",
                                              r, (0.6 * 0.3 + 0.2 * 0.5) / r, phi, (0.2 * 0.3 - 0.6 * 0.5) / (r * r))));
  for (const IntegrateOptions& options : every_integrator(0.7)) {
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << options.integrator.name() << ": " << run.explanation;
    ASSERT_EQ(run.events.size(), 2U) << options.integrator.name();
    const Vector& q = recording.last().q;
    EXPECT_NEAR(q[0] * std::cos(q[1]), 0.42, 1e-8) << options.integrator.name();  // as every_integrator() promises
    EXPECT_NEAR(q[2], 0.1, 1e-8) << options.integrator.name();
  }
}

// the row th + x = 0.42 makes x' jump, which the force of a motor cannot prevent
TEST(Events, AJumpAwayFromWhatAControlKeepsIsRefused) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0.3, speed = 0.4 }
th = { start = 0, speed = 0 }
[energy]
kinetic = "x'^2 + 0.15*th'^2"
[constraint]
path = { position = "x - 0.3 - 0.4*t", servo = true }
hook = { position = "x + th - 0.42", active = false }
[control]
F = { along = { x = 1 } }
[event]
hangs = { when = "x + th - 0.42", switch_on = "hook" }
)toml"));
  Recording recording;
  std::string said;
  try {
    const maggi::IntegrationResult run = motion.run({}, recording);
    EXPECT_NE(run.outcome, Outcome::reached_end);
    said = run.explanation;
  } catch (const Error& error) { said = error.what(); }
  EXPECT_THAT(said, HasSubstr("the velocities jump away from \"path\", which a control keeps"));
}

// the second row says what the first one says: no jump, and neither multiplier is unique
TEST(Events, RedundantRowsMayBeSwitchedOn) {
  for (const std::string& integrator : test::available({"dopri5", "dop853", "cvode-bdf", "ida"})) {
    Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0.6, speed = 0 }
y = { guess = -0.8 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[constraint]
rod = { position = "x^2 + y^2 = 1" }
again = { position = "sqrt(x^2 + y^2) = 1", active = false }
[event]
twice = { at = 0.25, switch_on = ["again"] }
)toml"));
    Recording recording;
    IntegrateOptions options;
    options.integrator = integrator;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << integrator << ": " << run.explanation;
    ASSERT_EQ(run.events.size(), 1U);
    EXPECT_TRUE(run.events[0].impulses.empty());
    EXPECT_EQ(run.events[0].what,
              "switches on \"again\"; constraints are redundant from here, and multipliers of least norm");
    // 2 r λ₁ + r/|r| λ₂ is the tension along the rod: of all such pairs the shortest has λ₁ : λ₂ = 2 : 1
    EXPECT_NEAR(recording.last().lambda[0], 2 * recording.last().lambda[1], 1e-9) << integrator;
    const Stored& end = recording.last();
    // rtol 1e-8 over some ten steps, of an energy of 8 J
    EXPECT_NEAR(end.v.squaredNorm() / 2 + 9.81 * end.q[1], -0.8 * 9.81, 1e-6) << "rtol 1e-8, and no energy lost";
  }
}

TEST(Events, TheEarliestComesFirst) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
[energy]
kinetic = "1/2*x'^2"
[event]
late = { when = "x - 0.501", stop = true }
early = { when = "x - 0.5", stop = true }
)toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({}, recording);  // one step would pass both
  EXPECT_EQ(run.outcome, Outcome::stopped);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].name, "early");
}

const char* const oscillator = R"toml(
[coordinates]
x = {{ start = {}, speed = {} }}
[energy]
kinetic = "1/2*x'^2"
potential = "1/2*x^2"
[event]
zero = {{ when = "{}", crossing = "{}", stop = true }}
)toml";

double first_event(double start, double speed, const std::string& when, const std::string& crossing) {
  std::string text = oscillator;
  const auto fill = [&text](const std::string& value) { text.replace(text.find("{}"), 2, value); };
  for (const std::string& value : {std::to_string(start), std::to_string(speed), when, crossing}) fill(value);
  for (std::size_t at; (at = text.find("{{")) != std::string::npos;) text.replace(at, 2, "{");
  for (std::size_t at; (at = text.find("}}")) != std::string::npos;) text.replace(at, 2, "}");
  Motion motion(Motion::from_text(text));
  Recording recording;
  IntegrateOptions options;
  options.until = 10.0;
  const maggi::IntegrationResult run = motion.run(options, recording);
  return run.outcome == Outcome::stopped ? run.t : -1.0;
}

TEST(Events, FireOnTheWayTheyAreAskedTo) {
  constexpr double pi = std::numbers::pi, accurate = 1e-7;  // rtol 1e-8 over ten steps per period
  EXPECT_NEAR(first_event(1, 0, "x", "any"), pi / 2, accurate);
  EXPECT_NEAR(first_event(1, 0, "x", "falling"), pi / 2, accurate);
  EXPECT_NEAR(first_event(1, 0, "x", "rising"), 3 * pi / 2, accurate);
}

TEST(Events, ZeroAtTheStartIsNoCrossing) {
  constexpr double pi = std::numbers::pi, accurate = 1e-7;  // rtol 1e-8 over ten steps per period
  EXPECT_NEAR(first_event(0, 1, "x", "any"), pi, accurate);
  EXPECT_NEAR(first_event(0, 1, "x + 1e-13", "any"), pi, accurate) << "zero but for rounding";
  EXPECT_EQ(first_event(1, 0, "x - 1", "any"), -1.0) << "it touches zero at 2π, and does not cross";
  EXPECT_NEAR(first_event(1, 0, "x'", "any"), pi, accurate);
}

// a stone rises above 4.9999 m for 9 ms, within a single step: 10 t − 5 t² = 4.9999
TEST(Events, CrossingThereAndBackWithinAStepIsSeen) {
  for (const bool rising : {true, false}) {
    Motion motion(Motion::from_text(fmt::format(R"toml(
[coordinates]
y = {{ start = 0, speed = 10 }}
[energy]
kinetic = "1/2*y'^2"
potential = "10*y"
[event]
level = {{ when = "y - 4.9999", crossing = "{}", stop = true }}
)toml",
                                                rising ? "rising" : "falling")));
    Recording recording;
    IntegrateOptions options;
    options.until = 2.5;
    const maggi::IntegrationResult run = motion.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::stopped) << rising;
    EXPECT_NEAR(run.t, 1.0 + (rising ? -1 : 1) * std::sqrt(2e-5), 1e-12);  // rounding of y over its slope of 0.04 m/s
    EXPECT_LT(run.statistics.steps, 8) << "else it does not show what it says";
  }
}

// a particle on a smooth sphere leaves it where the normal force vanishes: cos θ = 2/3 + v₀²/(3 g R)
TEST(Events, MultipliersMayOccur) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
y = { guess = 1 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[constraint]
sphere = { position = "x^2 + y^2 = 1" }
[event]
leaves = { when = "lambda.sphere", switch_off = ["sphere"] }
)toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({}, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  ASSERT_EQ(run.events.size(), 1U);
  const auto left = std::ranges::find(recording.samples, run.events[0].t, &Stored::t);
  EXPECT_NEAR(left->q[1], 2.0 / 3 + 1 / (3 * 9.81), 1e-7);  // rtol 1e-8
  EXPECT_NEAR(left->lambda[0], 0.0, 1e-13);                 // the event is its zero: rounding of a force of 10 N
  EXPECT_GT(recording.last().q.norm(), 1.01) << "off the sphere";
}

// a relay with a gap of 4e-9 m switches every 4e-9 s: a run of 1000 s would never end
TEST(Events, EventsWithoutEndStopTheRun) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = -0.5 }
[energy]
kinetic = "1/2*x'^2"
[constraint]
up = { velocity = "x' = 1" }
down = { velocity = "x' = -1", active = false }
[event]
top = { when = "x - 2e-9", crossing = "rising", switch_on = ["down"], switch_off = ["up"] }
bottom = { when = "x + 2e-9", crossing = "falling", switch_on = ["up"], switch_off = ["down"] }
)toml"));
  Recording recording;
  IntegrateOptions options;
  options.until = 1000.0;
  const maggi::IntegrationResult run = motion.run(options, recording);
  EXPECT_EQ(run.outcome, Outcome::step_too_small);
  EXPECT_THAT(run.explanation, HasSubstr("s events accumulate: 100 of them within 4e-07 s, the last is \"bottom\""));
  EXPECT_EQ(run.events.size(), 100U);
}

// √(0.5 − x) − 0.2 is real at the start, and not a hair beyond
TEST(Events, AFormulaMayEndAtTheStart) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 0.5, speed = -1 }
[energy]
kinetic = "1/2*x'^2"
[event]
root = { when = "sqrt(0.5 - x) - 0.2", stop = true }
)toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({}, recording);
  EXPECT_EQ(run.outcome, Outcome::stopped) << run.explanation;
  EXPECT_NEAR(run.t, 0.04, 1e-15);  // the motion is linear in t: rounding of √0.04
}

TEST(Events, AFormulaThatIsNotFiniteEndsTheRunAtIt) {
  Motion motion(Motion::from_text(R"toml(
[coordinates]
x = { start = 1, speed = -1 }
[energy]
kinetic = "1/2*x'^2"
[event]
root = { when = "sqrt(x - 0.5) - 0.1 + 1", stop = true }
)toml"));
  Recording recording;
  try {
    motion.run({}, recording);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::numerics);
    EXPECT_THAT(error.what(), HasSubstr("test.toml:7:1: the formula of event \"root\" is not a finite number at t = "));
  }
}

// M (v⁺ − v⁻) = CᵀΛ, C v⁺ = 0, and never more kinetic energy: rows that are linear and homogeneous in v
TEST(Events, RandomJumpsBalanceAndLoseEnergy) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::uniform_int_distribution<int> size(1, 5);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = size(random), m = size(random);  // m > n: redundant rows
    const Matrix A = Matrix::NullaryExpr(n, n, [&] { return number(random); });
    const Matrix M = A * A.transpose() + 0.1 * Matrix::Identity(n, n);
    const Matrix C = Matrix::NullaryExpr(m, n, [&] { return number(random); });
    Model model;
    model.force.assign(n, 0.0);
    model.mass.resize(n);
    for (int i = 0; i < n; ++i) {
      Coordinate q;
      q.name = "q" + std::to_string(i);
      q.start = 0.0;
      q.speed = number(random);
      model.coordinates.push_back(q);
      for (int j = 0; j < n; ++j) model.mass[i].emplace_back(M(i, j));
    }
    Event all;
    all.name = "all";
    all.when = "t - 0.5";
    for (int k = 0; k < m; ++k) {
      Constraint row;
      row.name = "row" + std::to_string(k);
      row.level = Level::velocity;
      for (int j = 0; j < n; ++j) row.formula.text += fmt::format("{:+.17g}*q{}'", C(k, j), j);
      row.active = k == 0;  // the first is in force before
      model.constraints.push_back(row);
      if (k > 0) all.switch_on.push_back({row.name, {}});
    }
    if (all.switch_on.empty()) all.stop = true;
    model.events.push_back(all);
    model.coordinates[0].speed.reset();  // to meet the first row

    Motion motion(model);
    Recording recording;
    const maggi::IntegrationResult run = motion.run({}, recording);
    ASSERT_EQ(run.events.size(), 1U) << run.explanation;
    if (all.stop) continue;
    const auto before = std::ranges::find(recording.samples, run.events[0].t, &Stored::t);
    const Vector after = std::next(before)->v, jump = after - before->v;
    Vector impulse = Vector::Zero(m);
    for (const auto& [name, value] : run.events[0].impulses) impulse[std::stoi(name.substr(3))] = value;
    // rounding, times the condition of M (at most 300 here) and of the rows
    const double tolerance = 1e-9;
    EXPECT_NEAR((M * jump - C.transpose() * impulse).norm(), 0.0, tolerance) << trial;
    EXPECT_NEAR((C * after).norm(), 0.0, tolerance) << trial;
    const double lost = 0.5 * (before->v.dot(M * before->v) - after.dot(M * after));
    EXPECT_NEAR(run.events[0].energy_lost, lost, tolerance);
    EXPECT_GE(lost, -tolerance);
    EXPECT_NEAR(lost, 0.5 * jump.dot(M * jump), tolerance) << "the energy of the velocity that is lost (Carnot)";
  }
}

}  // namespace
}  // namespace maggi
