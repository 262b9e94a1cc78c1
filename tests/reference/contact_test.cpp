// What is in force, decided at the start and after every jump: closed forms, and single instants by other programs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "support/reference.hpp"

namespace maggi::test {
namespace {

// rtol 1e-12 a step, some hundred steps, and the rounding of forces of order ten
constexpr double of_times = 1e-9, of_states = 1e-9, of_forces = 1e-7;

nlohmann::json expected(const std::string& name) { return read_reference("contact/expected.json").at(name + ".toml"); }

Model model(const std::string& name) { return load(source_path("tests/reference/contact/" + name + ".toml")); }

Motion run(const std::string& name, std::optional<double> until = {}) {
  Motion motion = Simulation(model(name)).run({.until = until, .rtol = 1e-12, .atol = 1e-13});
  EXPECT_EQ(motion.outcome(), Outcome::reached_end) << name << ": " << motion.explanation();
  return motion;
}

double value_at(const std::string& name, const std::string& channel, double t) { return run(name, t)[channel].back(); }

std::vector<EventRecord> events_named(const Motion& motion, const std::string& what) {
  std::vector<EventRecord> found;
  std::ranges::copy_if(motion.summary().events, std::back_inserter(found),
                       [&](const EventRecord& event) { return event.what.starts_with(what); });
  return found;
}

/// Friction never drives, and no gap is negative.
void expect_friction_takes(const Motion& motion, const std::string& contact) {
  for (const double power : motion["power." + contact]) EXPECT_LE(power, 1e-8);  // |τ| times what counts as at rest
}

double impulse(const EventRecord& event, const std::string& name) {
  for (const auto& [each, value] : event.impulses)
    if (each == name) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

class Drawer : public testing::TestWithParam<std::string> {};

TEST_P(Drawer, StaysOrComesBackAsFarAsFrictionLets) {
  const nlohmann::json is = expected(GetParam());
  const Motion motion = run(GetParam());
  const EventRecord& impact = motion.summary().events.at(0);
  EXPECT_THAT(impact.what, testing::StartsWith("impact"));
  EXPECT_NEAR(impact.t, number(is["impact_t"]), of_times);
  EXPECT_NEAR(impulse(impact, "gx.upper"), number(is["impulse"]), of_forces);
  EXPECT_NEAR(impact.energy_lost, -number(is["loss_at_impact"]), of_forces);
  EXPECT_NEAR(motion["gx.distance"].back(), number(is["rests_x"]), of_states);
  EXPECT_NEAR(motion["gx.distance'"].back(), 0.0, of_states);
  const EventRecord& sticks = motion.summary().events.back();
  EXPECT_EQ(sticks.what, "sticks");
  if (is.contains("rests_t")) {
    EXPECT_NEAR(sticks.t, number(is["rests_t"]), of_times);
  }
  expect_friction_takes(motion, "gx");
}

INSTANTIATE_TEST_SUITE_P(Contact, Drawer, testing::Values("drawer_stop", "drawer_bounce", "drawer_through_stop"));

// the force that holds both stops falls; the least of all shares decides when it lets go
TEST(Contact, TwoStopsThatAreOneLetGoWhenNoShareIsLeft) {
  const nlohmann::json is = expected("two_stops");
  const Motion motion = run("two_stops");
  const EventRecord& impact = motion.summary().events.at(0);
  EXPECT_NEAR(impact.t, number(is["impact_t"]), of_times);
  EXPECT_NEAR(impulse(impact, "upper") + 2 * impulse(impact, "wall"), number(is["impulse_along_x"]), of_forces);
  const std::vector<EventRecord> released = events_named(motion, "released");
  ASSERT_EQ(released.size(), 2U);
  for (const EventRecord& event : released) EXPECT_NEAR(event.t, number(is["leaves_t"]), of_times);
  EXPECT_NEAR(motion["x"].back(), number(is["x_end"]), of_states);
  EXPECT_NEAR(motion["x'"].back(), number(is["v_end"]), of_states);
  for (const char* row : {"lambda.upper", "lambda.wall"})
    for (const double force : motion[row]) EXPECT_GE(force, -of_forces) << row;
  expect_friction_takes(motion, "sole");
}

void expect_turning_points(const Motion& motion, const nlohmann::json& times) {
  const std::vector<EventRecord> turns = events_named(motion, "slides back");
  ASSERT_EQ(turns.size(), times.size());
  for (std::size_t i = 0; i < turns.size(); ++i) EXPECT_NEAR(turns[i].t, number(times[i]), of_times);
  EXPECT_EQ(motion.summary().events.size(), turns.size());  // it never sticks
}

void expect_values(const std::string& name, const std::string& channel, const nlohmann::json& values) {
  for (const auto& [t, value] : values.items())
    EXPECT_NEAR(value_at(name, channel, std::stod(t)), number(value), of_forces) << channel << " at " << t;
}

TEST(Contact, WhatADriverMovesDoesNotStick) {
  const nlohmann::json is = expected("driver_reverses");
  const Motion motion = run("driver_reverses");
  expect_turning_points(motion, is["turning_points"]);
  expect_values("driver_reverses", "lambda.motor", is["motor"]);
  expect_friction_takes(motion, "gx");
}

TEST(Contact, TheNextDerivativeSaysWhichWayADriverLeavesRest) {
  EXPECT_TRUE(run("driver_cubed").summary().events.empty());
  expect_values("driver_cubed", "lambda.motor", expected("driver_cubed")["motor"]);
}

TEST(Contact, WhatAControlMovesDoesNotStick) {
  const nlohmann::json is = expected("servo_reverses");
  const Motion motion = run("servo_reverses");
  expect_turning_points(motion, is["turning_points"]);
  expect_values("servo_reverses", "control.F", is["control"]);
  expect_friction_takes(motion, "sole");
}

TEST(Contact, ACrankPassesItsDeadCentres) {
  const nlohmann::json is = expected("crank_driven");
  const Motion motion = run("crank_driven");
  expect_turning_points(motion, is["dead_centres"]);
  expect_values("crank_driven", "lambda.motor", is["motor_torque"]);
  expect_values("crank_driven", "lambda.cylinder.normal", is["guide_force"]);
  expect_friction_takes(motion, "cylinder");
}

TEST(Contact, ABlockOnABeltSticksAndSlips) {
  const nlohmann::json is = expected("stick_slip_belt");
  const Motion motion = run("stick_slip_belt");
  const std::vector<EventRecord> breaks = events_named(motion, "breaks loose"), sticks = events_named(motion, "sticks");
  ASSERT_EQ(breaks.size(), is["breaks_t"].size());
  ASSERT_EQ(sticks.size(), is["sticks_t"].size());
  // a contact breaks loose up to 1e-6 beyond its limit only where it began at it; here it does not
  for (std::size_t i = 0; i < breaks.size(); ++i) EXPECT_NEAR(breaks[i].t, number(is["breaks_t"][i]), of_times);
  for (std::size_t i = 0; i < sticks.size(); ++i) EXPECT_NEAR(sticks[i].t, number(is["sticks_t"][i]), of_times);
}

// 27 bounces, the first three with sliding in a plane, then rolling
TEST(Contact, ABallWithSpinBouncesUntilItRolls) {
  const nlohmann::json is = expected("ball_spin");
  const Motion motion = run("ball_spin");
  const std::vector<EventRecord> bounces = events_named(motion, "impact");
  ASSERT_GE(bounces.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(bounces[i].t, number(is["first_bounces"][i]["t"]), of_times);
  // bounces below 4e-10 m are left out: their flights last less than 4 √(8e-10 / g) together, at velocities of order 1
  constexpr double left_out = 5e-5;
  EXPECT_NEAR(bounces.back().t, number(is["bounces_end_t"]), left_out);
  const nlohmann::json& end = is["end"];
  EXPECT_NEAR(motion["x"].back(), number(end["x"]), of_states);
  EXPECT_NEAR(motion["y"].back(), number(end["y"]), of_states);
  EXPECT_NEAR(motion["z"].back(), number(end["z"]), of_states);
  EXPECT_NEAR(motion["x'"].back(), number(end["vx"]), of_states);
  EXPECT_NEAR(motion["y'"].back(), number(end["vy"]), of_states);
  EXPECT_NEAR(motion["a'"].back(), number(end["a_dot"]), 10 * of_states);  // velocities over the radius
  EXPECT_NEAR(motion["b'"].back(), number(end["b_dot"]), 10 * of_states);
}

// start, check and run agree on what presses
TEST(Contact, AFloorOnWhichABallRestsPressesFromTheStart) {
  Simulation simulation(load_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
y = { start = 0, speed = 0 }
[energy]
kinetic = "x'^2 + y'^2"
potential = "2*9.81*y"
[constraint]
floor = { position = "y", one_sided = true }
[simulation]
until = 0.5
)toml",
                                  "rest.toml"));
  const nlohmann::json is = read_reference("contact/decisions.json").at("rest_on_floor");
  EXPECT_NEAR(simulation.start().acceleration.lambda[0], number(is["N"]), 1e-12);
  EXPECT_NEAR(simulation.start().acceleration.vdot[1], 0.0, 1e-12);  // rounding of 2 g
  EXPECT_EQ(simulation.check().degrees_of_freedom(), is["degrees_of_freedom"].get<int>());
  EXPECT_EQ(simulation.run()["lambda.floor"].front(), simulation.start().acceleration.lambda[0]);
}

// --- single instants
// --------------------------------------------------------------------------------------------------

constexpr double gap = 1e-9;  // left before an impact: more than counts as none

/// A rod of length 2 whose tip slides on a floor or falls to it; J = 1/3.
Model rod(double mu, double above, const std::string& x, const std::string& y, double a) {
  return load_text(fmt::format(R"toml(
[coordinates]
x = {{ start = 0, speed = "{3}" }}
y = {{ start = "sin(1.0) + {1}", speed = "{4}" }}
a = {{ start = 1.0, speed = "{2}" }}
[energy]
kinetic = "1/2*(x'^2 + y'^2) + 1/6*a'^2"
potential = "9.81*y"
[constraint]
floor = {{ position = "y - sin(a)", one_sided = true, restitution = 0.5 }}
[friction]
tip = {{ on = "floor", coefficient = {0}, along = "x' + sin(a)*a'" }}
[simulation]
until = 1e-6
)toml",
                               mu, above, a, x, y),
                   "rod.toml");
}

TEST(Contact, PainleveIsUniqueNoneOrSeveral) {
  for (const nlohmann::json& each : read_reference("contact/decisions.json").at("painleve").at("cases")) {
    const std::string answer = each["answer"];
    const double w = each["w"].get<double>();
    Simulation simulation(
        rod(each["mu"].get<double>(), 0.0, fmt::format("-2.0 - {}*sin(1.0)", w), fmt::format("{}*cos(1.0)", w), w));
    std::string refused;
    try {
      const Vector vdot = simulation.start().acceleration.vdot;
      ASSERT_EQ(answer, "unique") << each["mu"] << ", " << each["w"];
      EXPECT_LT(relative_error(vdot, vector(each["solutions"][0]["vdot"])), 1e-10);  // 15 digits, condition 1e3
      EXPECT_NEAR(simulation.start().acceleration.lambda[0], number(each["solutions"][0]["N"]), 1e-8);
    } catch (const Error& error) { refused = error.what(); }
    if (answer == "none") {
      EXPECT_THAT(refused, testing::HasSubstr("no forces"));
    }
    if (answer == "several") {
      EXPECT_THAT(refused, testing::HasSubstr("2 motions are possible"));
    }
  }
}

/// The velocities right after the first event.
Vector velocities_after(const Motion& motion, const std::vector<std::string>& names) {
  const std::span<const double> t = motion["t"];
  const auto again = std::ranges::adjacent_find(t);
  Vector v = Vector::Constant(static_cast<Eigen::Index>(names.size()), std::numeric_limits<double>::quiet_NaN());
  if (again == t.end()) return v;
  for (std::size_t i = 0; i < names.size(); ++i)
    v[static_cast<Eigen::Index>(i)] = motion[names[i]][again - t.begin() + 1];
  return v;
}

constexpr double of_impact = 1e-7;  // gravity acts for half the gap in seconds, times ten for the condition

TEST(Contact, ARodHitsAFloorWithFriction) {
  for (const nlohmann::json& each : read_reference("contact/decisions.json").at("rod_impact").at("cases")) {
    const Vector v = vector(each["v_minus"]);
    Simulation simulation(rod(0.3, gap, fmt::format("{}", v[0]), fmt::format("{}", v[1]), v[2]));
    const Motion motion = simulation.run({.output = 0.0});
    EXPECT_LT(relative_error(velocities_after(motion, {"x'", "y'", "a'"}), vector(each["v_plus"])), of_impact);
    const EventRecord& impact = motion.summary().events.at(0);
    EXPECT_NEAR(impulse(impact, "floor"), number(each["normal_impulse"]), of_impact);
    EXPECT_NEAR(impulse(impact, "tip"), number(each["friction_impulse"]), 10 * of_impact);
    EXPECT_NEAR(impact.energy_lost, -number(each["energy_change"]), 10 * of_impact);
  }
}

// Newton's law alone would double the energy of this double pendulum
TEST(Contact, AnImpactWithFrictionGivesNoEnergy) {
  const nlohmann::json kane = read_reference("contact/decisions.json").at("kane");
  Simulation simulation(load_text(R"toml(
[coordinates]
a = { start = "-pi/3", speed = 0 }
b = { start = "-2*pi/9", speed = 1 }
[energy]
kinetic = "1/6*a'^2 + 1/2*(a'^2 + b'^2/4 + a'*b'*cos(a - b)) + 1/24*b'^2"
potential = "0"
[constraint]
floor = { position = "cos(pi/3) + cos(2*pi/9) + 1e-9 - cos(a) - cos(b)", one_sided = true, restitution = 0.7 }
[friction]
tip = { on = "floor", coefficient = 0.5, along = "cos(a)*a' + cos(b)*b'" }
[simulation]
until = 1e-6
)toml",
                                  "kane.toml"));
  const Motion motion = simulation.run({.output = 0.0});
  EXPECT_NEAR(motion["energy.kinetic"].front(), number(kane["T_minus"]), 1e-12);
  EXPECT_LE(motion["energy.kinetic"].back(), number(kane["T_minus"]) + 1e-8);  // the rounding that counts as no energy
  EXPECT_LT(relative_error(velocities_after(motion, {"a'", "b'"}), vector(kane["bounded"]["v_plus"])), of_impact);
}

/// A table on four legs, of which the first may be rougher than the others.
Model table(double speed, double pull, double first) {
  return load_text(fmt::format(R"toml(
[coordinates]
x = {{ start = 0, speed = {0} }}
z = {{ start = 0, speed = 0 }}
roll = {{ start = 0, speed = 0 }}
pitch = {{ start = 0, speed = 0 }}
[energy]
kinetic = "5*(x'^2 + z'^2) + roll'^2/2 + 0.6*pitch'^2"
potential = "98.1*z"
[generalised_force]
x = "{1}"
[constraint]
leg0 = {{ position = "z + 0.3*roll - 0.5*pitch", one_sided = true }}
leg1 = {{ position = "z - 0.3*roll - 0.5*pitch", one_sided = true }}
leg2 = {{ position = "z + 0.3*roll + 0.5*pitch", one_sided = true }}
leg3 = {{ position = "z - 0.3*roll + 0.5*pitch", one_sided = true }}
[friction]
foot0 = {{ on = "leg0", coefficient = {2}, along = "x' - 0.4*pitch'" }}
foot1 = {{ on = "leg1", coefficient = 0.3, along = "x' - 0.4*pitch'" }}
foot2 = {{ on = "leg2", coefficient = 0.3, along = "x' - 0.4*pitch'" }}
foot3 = {{ on = "leg3", coefficient = 0.3, along = "x' - 0.4*pitch'" }}
)toml",
                               speed, pull, first),
                   "table.toml");
}

// no leg has a load of its own, but the friction of all together is unique
TEST(Contact, ATableOnFourLegs) {
  const nlohmann::json decisions = read_reference("contact/decisions.json"), is = decisions.at("table");
  const auto acceleration = [](const Model& model) { return Simulation(model).start().acceleration; };
  constexpr double algebra = 1e-10;  // 15 digits, condition 10
  const Acceleration slides = acceleration(table(1.0, 0.0, 0.3));
  EXPECT_NEAR(slides.vdot[0], number(is["slides"]["vdot"][0]), algebra);
  EXPECT_NEAR(slides.vdot.tail(3).norm(), 0.0, algebra);
  EXPECT_NEAR(slides.lambda.head(4).sum(), number(is["slides"]["sum_N"]), 100 * algebra);
  for (int leg = 0; leg < 4; ++leg) {
    EXPECT_GE(slides.lambda[leg], -algebra) << leg;
    EXPECT_NEAR(slides.tau[leg], -0.3 * slides.lambda[leg], 100 * algebra) << leg;
  }
  EXPECT_NEAR(acceleration(table(0.0, 40.0, 0.3)).vdot[0], number(is["at_rest"]["vdot"][0]), algebra);
  EXPECT_NEAR(acceleration(table(0.0, 20.0, 0.3)).vdot.norm(), 0.0, algebra);
  std::string refused;
  try {
    acceleration(table(1.0, 0.0, 0.6));
  } catch (const Error& error) { refused = error.what(); }
  EXPECT_THAT(refused, testing::HasSubstr("the motion depends on how"));
}

}  // namespace
}  // namespace maggi::test
