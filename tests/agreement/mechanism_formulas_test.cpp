// What formulas, drivers, couplings, limits, friction and forces say about a mechanism, against the same said in
// another way: by elements, by formulas over coordinates, or by a closed solution.
#include <fmt/format.h>

#include <numbers>

#include "io/toml/model_file.hpp"
#include "support/reference.hpp"
#include "support/same_motion.hpp"
#include "support/two_arms.hpp"

namespace maggi::test {
namespace {

MechanismRun run(const std::string& toml, double until, double output) {
  return {parse_model(toml, "test.toml"), until, output, fine_rtol, fine_atol};
}

const std::string hinges = R"toml(
  [joint]
  shoulder = { revolute = ["ground", "upper"], at = [0, 0], speed = 1.5 }
  elbow = { revolute = ["upper", "lower"], at = [0.6, 0.1], speed = -0.5 }
)toml";
const std::vector<std::string> arm_channels = {"shoulder.angle", "elbow.angle",      "lower.tip.x",
                                               "lower.tip.y",    "shoulder.force.x", "shoulder.force.y",
                                               "elbow.force.x",  "elbow.force.y"};

TEST(MechanismFormulas, AWantedJointOfALoopIsACoordinate) {
  const Model model = read_example("four_bar");
  const std::vector<std::string> channels = {"coupler.middle.x", "coupler.middle.y", "pin_1.angle",   "pin_1.force.x",
                                             "pin_1.force.y",    "pin_2.force.x",    "pin_3.force.y", "pin_4.force.x"};
  const MechanismRun first(model, 1.0, 0.05, fine_rtol, fine_atol);
  Model forced = model;  // the joint whose speed is given has to close the loop
  forced.mechanism.joints[0].loop = true;
  expect_same(first, MechanismRun(forced, 1.0, 0.05, fine_rtol, fine_atol), channels);
  Model all = model;  // every joint is wanted
  all.outputs.push_back({"sum", "pin_1.angle + pin_2.angle + pin_3.angle + pin_4.angle", "", {}});
  const MechanismRun wanted(all, 1.0, 0.05, fine_rtol, fine_atol);
  expect_same(first, wanted, channels);
  for (const double angle : wanted["sum"]) EXPECT_NEAR(angle, 0.0, 1e-12);  // once round the loop
}

TEST(MechanismFormulas, ForcesByElementAndByFormula) {
  const std::string elements = R"toml(
    [force]
    strut = { spring = ["ground", "lower"], from = [0, -1], to = [1.1, -0.2], stiffness = 40, damping = 0.8, length = 1.1, force = 3 }
    motor = { joint = "elbow", torque = 0.6, stiffness = 2, damping = 0.1, rest = 0.2 }
  )toml";
  const std::string formulas = R"toml(
    [force]
    strut = { spring = ["ground", "lower"], from = [0, -1], to = [1.1, -0.2], force = "40*(strut.length - 1.1) + 0.8*strut.length' + 3" }
    motor = { joint = "elbow", torque = "0.6 - 2*(elbow.angle - 0.2) - 0.1*elbow.angle'" }
  )toml";
  const std::string on_bodies = R"toml(
    [define]
    l = "sqrt(lower.tip.x^2 + (lower.tip.y + 1)^2)"
    pull = "40*(l - 1.1) + 0.8*l' + 3"
    torque = "0.6 - 2*(elbow.angle - 0.2) - 0.1*elbow.angle'"
    [force]
    strut = { on = "lower", at = [1.1, -0.2], force = ["-pull*lower.tip.x/l", "-pull*(lower.tip.y + 1)/l"] }
    action = { on = "lower", torque = "torque" }
    reaction = { on = "upper", torque = "-torque" }
  )toml";
  const MechanismRun a = run(two_arms + hinges + elements, 1.0, 0.05);
  expect_same(a, run(two_arms + hinges + formulas, 1.0, 0.05), arm_channels);
  expect_same(a, run(two_arms + hinges + on_bodies, 1.0, 0.05), arm_channels);
}

TEST(MechanismFormulas, AForceThatTurnsWithItsBody) {
  const std::string body = R"toml(
    [force]
    jet = { on = "lower", at = [1.1, -0.2], force = [2, "1 + t"], frame = "body" }
  )toml";
  const std::string world = R"toml(
    [define]
    c = "cos(lower.angle)"
    s = "sin(lower.angle)"
    [force]
    jet = { on = "lower", at = [1.1, -0.2], force = ["2*c - (1 + t)*s", "2*s + (1 + t)*c"] }
  )toml";
  expect_same(run(two_arms + hinges + body, 1.0, 0.05), run(two_arms + hinges + world, 1.0, 0.05), arm_channels);
}

TEST(MechanismFormulas, ConstraintsByJointAndByFormula) {
  const std::string joint = hinges + R"toml(
    rod = { distance = ["ground", "lower"], at = [1.5, 1], to = [1.1, -0.2] }
  )toml";
  const std::string formula = hinges + R"toml(
    [constraint]
    rod = { position = "sqrt((lower.tip.x - 1.5)^2 + (lower.tip.y - 1)^2) = sqrt(0.4^2 + 1.2^2)" }
  )toml";
  const auto without_speed = [&](std::string text) {
    text.replace(text.find(", speed = -0.5"), 14, "");
    return text;
  };
  const MechanismRun a = run(two_arms + without_speed(joint), 1.0, 0.05);
  expect_same(a, run(two_arms + without_speed(formula), 1.0, 0.05), arm_channels);
  // the multipliers of the two are the same force along the rod
  expect_same(a, run(two_arms + without_speed(formula), 1.0, 0.05), {"lambda.rod.length"}, {"lambda.rod"});
}

TEST(MechanismFormulas, GearsAreAConstraint) {
  const std::string gear = hinges + "[coupling]\nmesh = { gear = [\"shoulder\", \"elbow\"], teeth = [30, 10] }\n";
  const std::string formula = hinges + "[constraint]\nmesh = { velocity = \"3*shoulder.angle' + elbow.angle'\" }\n";
  const auto without_speed = [&](std::string text) {
    text.replace(text.find(", speed = -0.5"), 14, "");
    return two_arms + text;
  };
  const MechanismRun a = run(without_speed(gear), 1.0, 0.05);
  expect_same(a, run(without_speed(formula), 1.0, 0.05), arm_channels);
  const std::vector<double> one = a["shoulder.angle"], two = a["elbow.angle"];
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_NEAR(two[k], -3.0 * one[k], 1e-11);  // projected to 1e-12
}

TEST(MechanismFormulas, ADriverIsAControlThatKeepsAServoConstraint) {
  const std::string joints = R"toml(
    [joint]
    shoulder = { revolute = ["ground", "upper"], at = [0, 0] }
    elbow = { revolute = ["upper", "lower"], at = [0.6, 0.1], speed = -0.5 }
  )toml";
  const std::string driver = joints + "[driver]\nmotor = { joint = \"shoulder\", follows = \"0.4*sin(3*t)\" }\n";
  const std::string control = joints + R"toml(
    [control]
    motor = { along = { "shoulder.angle" = 1 } }
    [constraint]
    path = { position = "shoulder.angle = 0.4*sin(3*t)", servo = true }
  )toml";
  const MechanismRun a = run(two_arms + driver, 1.0, 0.05), b = run(two_arms + control, 1.0, 0.05);
  expect_same(a, b, arm_channels);
  expect_same(a, b, {"lambda.motor"}, {"control.motor"});
  const std::vector<double> power = a["motor.power"], torque = a["lambda.motor"], speed = a["shoulder.angle'"];
  for (std::size_t k = 0; k < power.size(); ++k) EXPECT_DOUBLE_EQ(power[k], torque[k] * speed[k]);
}

TEST(MechanismFormulas, AMarkerThatIsDriven) {
  const std::string toml = two_arms + R"toml(
    [joint]
    shoulder = { revolute = ["ground", "upper"], at = [0, 0] }
    elbow = { revolute = ["upper", "lower"], at = [0.6, 0.1] }
    [driver]
    hand = { marker = "lower.tip", follows = ["1.1 - 0.2*t^2", "-0.2 + 0.3*sin(t)"] }
  )toml";
  const MechanismRun a = run(toml, 1.0, 0.05);
  EXPECT_EQ(a.dynamics.freedom(), 0);
  const std::vector<double> t = a["t"], x = a["lower.tip.x"], y = a["lower.tip.y"];
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(x[k], 1.1 - 0.2 * t[k] * t[k], 1e-12);  // projected
    EXPECT_NEAR(y[k], -0.2 + 0.3 * std::sin(t[k]), 1e-12);
  }
}

TEST(MechanismFormulas, AKnifeEdgeIsChaplyginsSleigh) {
  const MechanismRun formulas(read_example("chaplygin_sleigh"), 2.0, 0.1, fine_rtol, fine_atol);
  const MechanismRun mechanism = run(R"toml(
    dimension = 2
    [body.sleigh]
    mass = 2.0
    inertia = 0.8
    position = [0.35, 0]
    [joint]
    plane = { free = ["ground", "sleigh"], at = [0.35, 0], speed = { x = 0.4, angle = 2.5 } }
    blade = { knife_edge = ["ground", "sleigh"], at = [0, 0], axis = [0, 1] }
    [output]
    x = "sleigh.centre.x"
    y = "sleigh.centre.y"
  )toml",
                                     2.0, 0.1);
  expect_same(formulas, mechanism, {"x", "y", "theta", "blade_force"},
              {"x", "y", "plane.angle", "lambda.blade.across"});
}

TEST(MechanismFormulas, ASkateOnAnIncline) {
  const MechanismRun formulas(read_example("skate_on_incline"), 3.0, 0.1, fine_rtol, fine_atol);
  const MechanismRun mechanism = run(R"toml(
    dimension = 2
    gravity = [4.905, 0]
    [body.skate]
    mass = 1.5
    inertia = 0.4
    position = [0, 0]
    [joint]
    plane = { free = ["ground", "skate"], at = [0, 0], speed = { x = 0, angle = 1.3 } }
    blade = { knife_edge = ["ground", "skate"], at = [0, 0], axis = [0, 1] }
  )toml",
                                     3.0, 0.1);
  expect_same(formulas, mechanism, {"x", "y", "theta", "blade_force"},
              {"plane.x", "plane.y", "plane.angle", "lambda.blade.across"});
  const std::vector<double> t = mechanism["t"], x = mechanism["plane.x"];  // closed solution, rtol 1e-12
  for (std::size_t k = 0; k < t.size(); ++k)
    EXPECT_NEAR(x[k], 4.905 / (2 * 1.3 * 1.3) * std::pow(std::sin(1.3 * t[k]), 2),
                1e-9);  // the errors of some hundred steps
}

TEST(MechanismFormulas, AWheelRollsDownAnIncline) {
  // disc, J = m r²/2: x¨ = 2/3 g sin α, friction force m g sin α/3
  const MechanismRun a = run(R"toml(
    dimension = 2
    gravity = [4.905, -8.495709211125343]
    [body.wheel]
    shape = "disc"
    radius = 0.3
    mass = 2
    position = [0, 0.3]
    [joint]
    contact = { rolling = ["ground", "wheel"], at = [0, 0.3], radius = 0.3, normal = [0, 1] }
  )toml",
                             2.0, 0.1);
  const std::vector<double> t = a["t"], x = a["wheel.x"], angle = a["wheel.angle"], force = a["contact.force.x"],
                            normal = a["contact.force.y"];
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(x[k], 4.905 / 3.0 * t[k] * t[k], 1e-10);  // rtol 1e-12, up to 6.5 m
    EXPECT_NEAR(angle[k], -x[k] / 0.3, 1e-9);
    EXPECT_NEAR(force[k], -2.0 * 4.905 / 3.0, 1e-10);
    EXPECT_NEAR(normal[k], 2.0 * 8.495709211125343, 1e-10);
  }
}

TEST(MechanismFormulas, FrictionInAPinAndInAGuide) {
  // a balanced rotor: N = m g, J ω̇ = −μ r m g;  a block: x¨ = −μ g until it stops and sticks
  const MechanismRun a = run(R"toml(
    dimension = 2
    gravity = [0, -9.81]
    [body.rotor]
    mass = 3
    inertia = 0.02
    position = [0, 0]
    [body.block]
    shape = "box"
    size = [0.2, 0.1]
    mass = 2
    position = [1, 0]
    [joint]
    pin = { revolute = ["ground", "rotor"], at = [0, 0], speed = 20, friction = { coefficient = 0.2, radius = 0.01 } }
    guide = { prismatic = ["ground", "block"], at = [1, 0], axis = [1, 0], speed = 1.5, friction = { coefficient = 0.3, stiction = 0.4 } }
  )toml",
                             1.0, 0.1);
  const std::vector<double> t = a["t"], spin = a["pin.angle'"], x = a["guide.distance"];
  const double stops = 1.5 / (0.3 * 9.81);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(spin[k], 20.0 - 0.2 * 0.01 * 3 * 9.81 / 0.02 * t[k], 1e-9);  // quadratic in t: rounding
    const double s = std::min(t[k], stops);
    EXPECT_NEAR(x[k], 1.5 * s - 0.3 * 9.81 * s * s / 2.0, 1e-9);  // and the time at which it sticks
  }
}

TEST(MechanismFormulas, AnElasticStopGivesTheSpeedBack) {
  // m x¨ = −k x behind the stop: half a period later it leaves with the speed it came with
  const MechanismRun a = run(R"toml(
    dimension = 2
    [body.block]
    shape = "point"
    mass = 2
    position = [0, 0]
    [joint]
    guide = { prismatic = ["ground", "block"], at = [0, 0], axis = [1, 0], speed = 1.0, limits = { upper = 0.5, stiffness = 200 } }
  )toml",
                             2.0, 0.125);
  const std::vector<double> t = a["t"], x = a["guide.distance"], v = a["guide.distance'"], E = a["energy.total"];
  const double omega = 10.0, touches = 0.5, leaves = touches + std::numbers::pi / omega;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double expected = t[k] <= touches  ? t[k]
                            : t[k] >= leaves ? 0.5 - (t[k] - leaves)
                                             : 0.5 + std::sin(omega * (t[k] - touches)) / omega;
    EXPECT_NEAR(x[k], expected, 1e-8);  // the force has a kink, which costs the method its order there
    EXPECT_NEAR(E[k], 1.0, 1e-8);
  }
  EXPECT_NEAR(v.back(), -1.0, 1e-8);  // the kink, as above
}

TEST(MechanismFormulas, ARigidLimitSendsTheBlockBack) {
  // between two walls half a metre apart, half of the speed comes back: 1, −1/2, 1/4 m/s; hits at 0.5 s and 1.5 s
  const MechanismRun a = run(R"toml(
    dimension = 2
    [body.block]
    shape = "point"
    mass = 2
    position = [0, 0]
    [joint]
    guide = { prismatic = ["ground", "block"], at = [0, 0], axis = [1, 0], start = 0.0, speed = 1.0, limits = { lower = 0, upper = 0.5, restitution = 0.5 } }
  )toml",
                             2.5, 0.125);
  ASSERT_EQ(a.run.events.size(), 2u);
  EXPECT_NEAR(a.run.events[0].t, 0.5, 1e-10);  // linear in t; a gap is closed to 1e-10
  EXPECT_NEAR(a.run.events[1].t, 1.5, 1e-10);
  const std::vector<double> t = a["t"], x = a["guide.distance"];
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double expected = t[k] <= 0.5 ? t[k] : t[k] <= 1.5 ? 0.5 - 0.5 * (t[k] - 0.5) : 0.25 * (t[k] - 1.5);
    EXPECT_NEAR(x[k], expected, 1e-10);  // as the times of the hits
  }
}

TEST(MechanismFormulas, ABushingIsTheSpringsItConsistsOf) {
  // along two axes and about the third, in phase with nothing else: three oscillators
  const MechanismRun a = run(R"toml(
    dimension = 2
    [body.block]
    mass = 2
    inertia = 0.5
    position = [0, 0]
    [joint]
    free = { free = ["ground", "block"], at = [0, 0], speed = { x = 0.3, y = -0.2 } }
    [force]
    mount = { bushing = ["ground", "block"], at = [0, 0], stiffness = [50, 80], damping = [4, 0], torsion_stiffness = 3 }
  )toml",
                             2.0, 0.1);
  const double decay = 1.0, wx = std::sqrt(25.0 - decay * decay), wy = std::sqrt(40.0);
  const std::vector<double> t = a["t"], x = a["free.x"], y = a["free.y"], turn = a["free.angle"];
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(x[k], 0.3 * std::exp(-decay * t[k]) * std::sin(wx * t[k]) / wx,
                1e-10);  // rtol 1e-12 over a hundred steps
    EXPECT_NEAR(y[k], -0.2 * std::sin(wy * t[k]) / wy, 1e-10);
    EXPECT_NEAR(turn[k], 0.0, 1e-12);
  }
}

TEST(MechanismFormulas, AnEventLocksAJoint) {
  // a free arm is caught when it passes the vertical: from then on it stands still
  const MechanismRun a = run(R"toml(
    dimension = 2
    gravity = [0, -9.81]
    [body.arm]
    shape = "rod"
    mass = 1
    from = [0, 0]
    to = [1, 0]
    [joint]
    hinge = { revolute = ["ground", "arm"], at = [0, 0] }
    [constraint]
    lock = { position = "hinge.angle = -pi/2", active = false }
    [event]
    caught = { when = "hinge.angle + pi/2", crossing = "falling", switch_on = "lock" }
  )toml",
                             2.0, 0.05);
  ASSERT_EQ(a.run.events.size(), 1u);
  EXPECT_NEAR(a["hinge.angle"].back(), -std::numbers::pi / 2, 1e-12);  // held by a constraint, which is projected
  EXPECT_NEAR(a["hinge.angle'"].back(), 0.0, 1e-12);
  // from the horizontal ω² = 3 g sin φ/l, so t = √(l/(3g)) ∫ dφ/√(sin φ) from 0 to π/2 = √(l/(3g)) B(1/4, 1/2)/2
  const double beta = std::tgamma(0.25) * std::tgamma(0.5) / std::tgamma(0.75);
  EXPECT_NEAR(a.run.events[0].t, std::sqrt(1.0 / (3.0 * 9.81)) * beta / 2.0,
              1e-9);  // rtol 1e-12 over some hundred steps
}

}  // namespace
}  // namespace maggi::test
