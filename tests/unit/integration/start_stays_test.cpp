// The start changes only what it must, and keeps the assembly of the reference configuration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "support/tolerances.hpp"
#include "system/make_system.hpp"

namespace maggi::test {
namespace {

InitialConditions start_of(const std::string& text, std::vector<std::string>& names) {
  const auto system = make_system(parse_model(text, "model.toml"));
  for (const Channel& coordinate : system->shape().coordinates) names.push_back(coordinate.name);
  Dynamics dynamics(*system);
  return find_initial_conditions(dynamics, system->start());
}

double value(const std::vector<std::string>& names, const Vector& values, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? NAN : values[found - names.begin()];
}

constexpr const char* four_bar = R"(
dimension = 2
gravity = [0, -9.81]
[body]
crank   = { shape = "rod", mass = 1, from = [0, 0], to = [0, 1] }
coupler = { shape = "rod", mass = 1, from = [0, 1], to = [3, 2] }
rocker  = { shape = "rod", mass = 1, from = [3, 2], to = [3, 0] }
bob     = { shape = "rod", mass = 1, from = [1.5, 1.5], to = [1.5, 0.5] }
[joint]
A = { revolute = ["ground", "crank"], at = [0, 0] }
B = { revolute = ["crank", "coupler"], at = [0, 1] }
C = { revolute = ["coupler", "rocker"], at = [3, 2] }
)";

TEST(StartStays, APendulumOnALoopKeepsItsSpeedThoughTheMassMatrixCouplesIt) {
  std::vector<std::string> names;
  const InitialConditions ic = start_of(std::string(four_bar) + R"(
D = { revolute = ["ground", "rocker"], at = [3, 0], speed = 0.5 }
hang = { revolute = ["coupler", "bob"], at = [1.5, 1.5] })",
                                        names);
  EXPECT_EQ(value(names, ic.state.v, "hang.angle"), 0.0);
  // The coupler's ends have the velocities ω_A × (0, 1) and 0.5 × (0, 2): both along −x, so that the coupler translates
  // and ω_A · 1 m = 0.5 rad/s · 2 m; B turns back by as much as A turns forth.
  EXPECT_NEAR(value(names, ic.state.v, "A.angle"), 1.0, tolerance::start_value);
  EXPECT_NEAR(value(names, ic.state.v, "B.angle"), -1.0, tolerance::start_value);
}

TEST(StartStays, ABodyThatNoConstraintRelatesToAMisfitStaysWhereItIs) {
  std::vector<std::string> names;
  const InitialConditions ic = start_of(std::string(four_bar) + R"(
D = { revolute = ["ground", "rocker"], at = [3, 0] }
hang = { revolute = ["ground", "bob"], at = [1.5, 1.5] }
[constraint]
off = { position = "A.angle - 0.2" })",
                                        names);
  EXPECT_NEAR(value(names, ic.state.q, "A.angle"), 0.2, tolerance::start_value);
  EXPECT_EQ(value(names, ic.state.q, "hang.angle"), 0.0);
}

TEST(StartStays, ASecondLoopThatIsClosedKeepsItsGuesses) {
  std::vector<std::string> names;
  // two circles, the second one satisfied within rounding by its guesses: these must not change by a bit
  const InitialConditions ic = start_of(R"(
[coordinates]
x = { guess = 1.0 }
y = { guess = 1.0 }
u = { guess = 0.6 }
w = { guess = 0.8 }
[energy]
kinetic = "(x'^2 + y'^2 + u'^2 + w'^2)/2 + 0.3*x'*u'"
[constraint]
first  = { position = "x^2 + y^2 - 1" }
second = { position = "u^2 + w^2 - 1" })",
                                        names);
  EXPECT_EQ(value(names, ic.state.q, "u"), 0.6);
  EXPECT_EQ(value(names, ic.state.q, "w"), 0.8);
  EXPECT_NEAR(value(names, ic.state.q, "x"), std::sqrt(0.5), tolerance::start_value);
}

/// A wiper linkage whose crank is put at `angle`, drawn with the crank at 0.
std::string wiper(double angle) {
  return R"(
dimension = 2
parameters = { a0 = )" +
         std::to_string(angle) + R"( }
[body]
crank = { shape = "rod", mass = 0.2, from = [0, 0], to = [0.25, 0.05] }
rod   = { shape = "rod", mass = 0.3, from = [0.25, 0.05], to = [0.35, 0.35] }
arm   = { shape = "rod", mass = 0.4, from = [0.35, 0.35], to = [0.5, 0.05] }
[joint]
motor = { revolute = ["ground", "crank"], at = [0, 0], start = "a0" }
knee  = { revolute = ["crank", "rod"], at = [0.25, 0.05] }
top   = { revolute = ["rod", "arm"], at = [0.35, 0.35] }
wiper = { revolute = ["ground", "arm"], at = [0.5, 0.05] })";
}

/// The angle of the arm on the side of the reference configuration: intersection of two circles in closed form.
double arm_angle(double crank) {
  const double c = std::cos(crank), s = std::sin(crank);
  const double px = 0.25 * c - 0.05 * s, py = 0.25 * s + 0.05 * c;
  const double wx = 0.5, wy = 0.05, r1 = std::hypot(0.1, 0.3), r2 = std::hypot(0.15, 0.3);
  const double dx = wx - px, dy = wy - py, d = std::hypot(dx, dy);
  const double along = (d * d + r1 * r1 - r2 * r2) / (2 * d), across = std::sqrt(r1 * r1 - along * along);
  const double tx = px + (along * dx - across * dy) / d, ty = py + (along * dy + across * dx) / d;  // left of P → W
  return std::atan2(ty - wy, tx - wx) - std::atan2(0.3, -0.15);
}

TEST(StartStays, AFarStartKeepsTheAssemblyOfTheReferenceConfiguration) {
  for (double angle = 0.1; angle < 1.45; angle += 0.1) {
    std::vector<std::string> names;
    const InitialConditions ic = start_of(wiper(angle), names);
    EXPECT_NEAR(value(names, ic.state.q, "wiper.angle"), arm_angle(angle), tolerance::start_value) << angle;
    EXPECT_EQ(ic.method.find("another assembly"), std::string::npos) << ic.method;
  }
}

TEST(StartStays, AStartThatIsNotReachedContinuouslyIsFoundAndSaysSo) {
  // the crank cannot turn past 2 rad, where knee and arm are in line, but the linkage closes at 5.5 − 2π, too
  std::vector<std::string> names;
  const InitialConditions ic = start_of(wiper(5.5), names);
  EXPECT_NE(ic.note.find("another assembly"), std::string::npos) << ic.method;
}

}  // namespace
}  // namespace maggi::test
