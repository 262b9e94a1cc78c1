// Servo constraints of bodies and joints against the same from formulas, and against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "maggi/check.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "simulation/check_data.hpp"
#include "support/source_tree.hpp"

namespace maggi::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// The model two_masses_servo: the path is that of B, the force acts on A, and the spring between them carries it.
std::string two_masses(bool in_space) {
  const auto point = [&](const char* x) { return std::string("[") + x + (in_space ? ", 0, 0]" : ", 0]"); };
  std::string text = in_space ? "" : "dimension = 2\n";
  text += "parameters = { mA = 2.0, mB = 1.0, k = 10.0 }\n";
  const std::string inertia = in_space ? "inertia = [0.1, 0.1, 0.1]\n" : "inertia = 0.1\n";
  text += "[body.A]\nmass = \"mA\"\n" + inertia + "position = " + point("0") + "\n";
  text += "[body.B]\nmass = \"mB\"\n" + inertia + "position = " + point("2") + "\n";
  text += "[joint]\nrailA = { prismatic = [\"ground\", \"A\"], at = " + point("0") + ", axis = " + point("1") + " }\n";
  text += "railB = { prismatic = [\"ground\", \"B\"], at = " + point("2") + ", axis = " + point("1") + " }\n";
  text += "[force]\nspring = { spring = [\"A\", \"B\"], from = " + point("0") + ", to = " + point("2") +
          ", stiffness = \"k\", length = 2.0 }\n";
  return text +
         "[constraint]\npath = { position = \"railB.distance = sin(t)\", servo = true, unit = \"m\" }\n"
         "[control]\nF = { along = { \"railA.distance\" = 1 }, unit = \"N\" }\n"
         "[simulation]\nuntil = 1.0\nrtol = 1e-10\natol = 1e-12\n";
}

/// xB = sin t needs the force −mB sin t of the spring, so that xA = (1 − mB/k) sin t = 0.9 sin t, and
/// F = −mA 0.9 sin t − mB sin t = −2.8 sin t.
TEST(ServoOfBodies, TwoMassesAndASpring) {
  for (const bool in_space : {false, true}) {
    SCOPED_TRACE(in_space);
    Simulation simulation(load_text(two_masses(in_space), "masses.toml"));
    ASSERT_EQ(simulation.hidden_constraints().found.size(), 1u);
    const Motion motion = simulation.run();
    ASSERT_EQ(motion.outcome(), Outcome::reached_end) << motion.explanation();
    const std::span<const double> t = motion["t"], x = motion["railA.distance"], F = motion["control.F"];
    Largest error;
    for (std::size_t i = 0; i < motion.size(); ++i) {
      error.note(x[i] - 0.9 * std::sin(t[i]));
      error.note(F[i] + 2.8 * std::sin(t[i]));
    }
    EXPECT_LT(error.value(), 1e-10);  // no degree of freedom is left: what remains is that of the projection
    EXPECT_NEAR(F.back(), -2.356119, 1e-6);
    const Check& check = simulation.check();
    EXPECT_THAT(to_text(check), AllOf(HasSubstr("tangential"), HasSubstr("index 5")));
  }
}

/// The model vehicle from a car and its steered wheels: 10 kg of wheels in the pivot, taken off the car so that mass,
/// mass centre and moment of inertia of both together are those of the model.
const char* const car = R"toml(
dimension = 2
parameters = { m0 = 1000, I0 = 1500, I = 2, a = 1.2, b = 1.4, R = 20, F0 = 1500, k1 = 2, k2 = 50, v0 = 5, beta0 = 0.02, w = 10 }
[body.car]
mass = "m0 - w"
inertia = "I0 - w*a^2 - (w*a)^2/(m0 - w)"
position = ["-w*a/(m0 - w)", 0]
markers = { cg = [0, 0] }
[body.wheels]
mass = "w"
inertia = "I"
position = ["a", 0]
[joint]
ride = { free = ["ground", "car"], at = [0, 0], start = { x = 0, angle = "-beta0" }, speed = { x = "v0" } }
pivot = { revolute = ["car", "wheels"], at = ["a", 0] }
rear = { knife_edge = ["ground", "car"], at = ["-b", 0], axis = [0, 1] }
front = { knife_edge = ["ground", "wheels"], at = ["a", 0], axis = [0, 1] }
[force]
engine = { on = "car", at = [0, 0], force = ["F0 - k1*(car.cg.x'^2 + car.cg.y'^2)", 0], frame = "body", torque = "-k2*ride.angle'*abs(ride.angle')" }
[constraint]
circle = { position = "car.cg.x^2 + (car.cg.y - R)^2 = R^2", servo = true, unit = "m^2" }
[control]
steering = { along = { "pivot.angle" = 1 }, unit = "N m" }
[simulation]
until = 2.0
output = 0.1
rtol = 1e-10
atol = 1e-12
)toml";

TEST(ServoOfBodies, TheCarOnACircleIsThatFromFormulas) {
  Simulation bodies(load_text(car, "car.toml"));
  Simulation formulas(load(source_path("models/vehicle.toml")));
  ASSERT_EQ(bodies.hidden_constraints().found.size(), 1u);
  const RunOptions options{.until = 2.0, .output = 0.1, .rtol = 1e-10, .atol = 1e-12};
  const Motion ours = bodies.run(options), theirs = formulas.run(options);
  ASSERT_EQ(ours.outcome(), Outcome::reached_end) << ours.explanation();
  ASSERT_EQ(ours.size(), theirs.size());
  const std::pair<const char*, const char*> channels[] = {{"ride.x", "x"},
                                                          {"ride.y", "y"},
                                                          {"ride.angle", "phi"},
                                                          {"pivot.angle", "theta"},
                                                          {"control.steering", "control.steering"}};
  for (const auto& [our_name, their_name] : channels) {
    const std::span<const double> a = ours[our_name], b = theirs[their_name];
    Largest error, size;
    for (std::size_t i = 0; i < ours.size(); ++i) error.note(a[i] - b[i]), size.note(b[i]);
    EXPECT_LT(error.value(), 1e-7 * (1.0 + size.value())) << our_name;  // rtol 1e-10 over some hundred steps
  }
}

TEST(ServoOfBodies, WhatCannotBeDerivedSaysWhy) {
  std::string model = two_masses(true);
  model += "[body.C]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [0, 5, 0]\n";  // it floats: quaternions
  try {
    Simulation(load_text(model, "masses.toml")).start();
    FAIL() << "a start was found";
  } catch (const Error& error) { EXPECT_THAT(error.what(), AllOf(HasSubstr("\"path\""), HasSubstr("quaternions"))); }
}

TEST(ServoOfBodies, AStopBesideAControlIsRefusedByEveryCommand) {
  std::string model = two_masses(false);
  model.replace(model.find("axis = [1, 0]"), 13, "axis = [1, 0], limits = [-3, 3]");
  try {
    Simulation(load_text(model, "masses.toml")).start();
    FAIL() << "a start was found";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the limits of \"railA\" are rigid stops, but a control keeps \"path\""));
  }
}

TEST(ServoOfBodies, ProjectedBdfRefusesQuaternions) {
  const char* const ball = R"toml(
[body.ball]
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0]
[constraint]
path = { position = "ball.centre.x = sin(t)", servo = true }
[control]
F = { along = { "ball.centre.x" = 1 } }
[joint]
rail = { point_on_plane = ["ground", "ball"], at = [0, 0, 0], axis = [0, 0, 1], loop = true }
[simulation]
until = 0.1
integrator = "projected-bdf"
step = 0.01
)toml";
  Simulation simulation(load_text(ball, "ball.toml"));
  try {
    simulation.run();
    FAIL() << "it runs";
  } catch (const Error& error) { EXPECT_THAT(error.what(), HasSubstr("projected-bdf needs q̇ = v")); }
}

// ------------------------------------------------------------------------------- more controls than constraints

/// Either motor alone could move the ram.
const char* const press = R"toml(
dimension = 2
gravity = [0, -9.81]
[body.left]
shape = "rod"
mass = 1.0
from = [-0.2, 0]
to = [-0.1, 0.3]
[body.right]
shape = "rod"
mass = 1.0
from = [0.2, 0]
to = [0.1, 0.3]
[body.ram]
shape = "box"
size = [0.2, 0.05]
mass = 4.0
position = [0, 0.3]
[joint]
motor_l = { revolute = ["ground", "left"], at = [-0.2, 0] }
motor_r = { revolute = ["ground", "right"], at = [0.2, 0] }
slot_l = { point_on_line = ["ram", "left"], at = [-0.1, 0.3], axis = [1, 0] }
slot_r = { point_on_line = ["ram", "right"], at = [0.1, 0.3], axis = [1, 0] }
guide = { prismatic = ["ground", "ram"], at = [0, 0.3], axis = [0, 1] }
[constraint]
path = { position = "guide.distance = 0.02*(cos(5*t) - 1)", servo = true }
[simulation]
until = 0.2
)toml";

std::string with_controls(const std::string& controls) { return std::string(press) + "[control]\n" + controls; }
const std::string left = "torque_l = { along = { \"motor_l.angle\" = 1 }, unit = \"N m\" }\n";
const std::string right = "torque_r = { along = { \"motor_r.angle\" = 1 }, unit = \"N m\" }\n";

/// One motor alone has a torque that is unique. Both are mirror images: the least share it, and what they do together
/// is the same.
TEST(ServoOfBodies, TwoMotorsShareTheWork) {
  Simulation alone(load_text(with_controls(left), "press.toml"));
  const double torque = alone.start().acceleration.p[0];
  EXPECT_NEAR(torque, 4.37167, 1e-5);
  Simulation both(load_text(with_controls(left + right), "press.toml"));
  const InitialConditions& start = both.start();
  constexpr double rounding = 1e-11;
  EXPECT_NEAR(start.acceleration.p[0], torque / 2.0, rounding);
  EXPECT_NEAR(start.acceleration.p[1], -torque / 2.0, rounding);

  const ServoRealisation& realisation = *both.check().data().realisation;
  EXPECT_EQ(realisation.kind, ServoRealisation::Kind::orthogonal);
  EXPECT_EQ(realisation.free, 1);
  EXPECT_THAT(realisation.not_unique, ElementsAre(0, 1));
  EXPECT_THAT(to_text(both.check()), HasSubstr("1 of torque_l and torque_r can be chosen"));
  EXPECT_THAT(start_text(both), HasSubstr("not unique"));

  const Motion one = alone.run({.output = 0.05}), two = both.run({.output = 0.05});
  ASSERT_EQ(two.outcome(), Outcome::reached_end) << two.explanation();
  Largest error;
  for (std::size_t i = 0; i < one.size(); ++i)
    error.note(one["control.torque_l"][i] - two["control.torque_l"][i] + two["control.torque_r"][i]);
  EXPECT_LT(error.value(), 1e-7);  // rtol 1e-8 of the model
}

/// All that find controls find the same, the least.
TEST(ServoOfBodies, EveryMethodFindsTheLeastControls) {
  Simulation both(load_text(with_controls(left + right), "press.toml"));
  const Comparison found = both.compare({.timing = 0, .run = false});
  int able = 0;
  for (const ComparisonRow& row : found.rows) {
    if (!row.failure.empty()) continue;
    EXPECT_EQ(row.disagreement, "") << row.formulation << " " << row.basis;
    ++able;
  }
  EXPECT_GE(able, 10);  // augmented, range-space, and compatibility on the bases
}

/// m x'' = F + 2 G: of all with F + 2 G = m x'' the least is (1, 2) m x''/5.
TEST(ServoOfFormulas, MoreControlsThanDegreesOfFreedom) {
  Simulation simulation(load_text(R"toml(
[coordinates]
x = {}
[energy]
kinetic = "3/2*x'^2"
[constraint]
path = { position = "x = t^2/2", servo = true }
[control]
F = { along = { x = 1 } }
G = { along = { x = 2 } }
[simulation]
until = 1
)toml",
                                  "mass.toml"));
  const Acceleration& a = simulation.start().acceleration;
  constexpr double rounding = 1e-14;
  EXPECT_NEAR(a.p[0], 3.0 / 5.0, rounding);
  EXPECT_NEAR(a.p[1], 6.0 / 5.0, rounding);
}

/// x is to follow a path, y is free: the force along y takes no part, and the least is none.
TEST(ServoOfFormulas, AControlThatTheConstraintDoesNotNeedIsZero) {
  Simulation simulation(load_text(R"toml(
[coordinates]
x = {}
y = { start = 0, speed = 1 }
[energy]
kinetic = "x'^2 + y'^2"
[constraint]
path = { position = "x = t^2", servo = true }
[control]
F = { along = { x = 1 } }
G = { along = { y = 1 } }
[simulation]
until = 1
)toml",
                                  "masses.toml"));
  const Motion motion = simulation.run();
  EXPECT_NEAR(motion["control.F"].back(), 4.0, 1e-12);
  EXPECT_EQ(motion["control.G"].back(), 0.0);
  EXPECT_NEAR(motion["y"].back(), 1.0, 1e-12);
  const ServoRealisation& realisation = *simulation.check().data().realisation;
  EXPECT_THAT(realisation.not_unique, ElementsAre(1));
}

}  // namespace
}  // namespace maggi::test
