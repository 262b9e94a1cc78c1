// Friction in joints against closed solutions: along every kind of joint, in the tree and where it closes a loop.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/toml/model_file.hpp"
#include "support/reference.hpp"
#include "support/same_motion.hpp"

namespace maggi::test {
namespace {

constexpr double g = 9.81;
constexpr double exact = 1e-9;  // rtol 1e-12 over some hundred steps; laws are solved to 1e-12

MechanismRun run(const std::string& toml, double until, bool loop = false) {
  Model model = parse_model(toml, "test.toml");
  model.mechanism.joints[0].loop = loop;
  return {model, until, until / 20, fine_rtol, fine_atol};
}

/// The joint in the tree, and closing a loop: the body floats then, and its pose says the same.
void expect_motion(const std::string& toml, double until, const std::string& channel, auto&& expected) {
  for (const bool loop : {false, true}) {
    const MechanismRun motion = run(toml, until, loop);
    const std::vector<double> t = motion["t"], x = motion[channel];
    for (std::size_t k = 0; k < t.size(); ++k)
      EXPECT_NEAR(x[k], expected(t[k]), exact * (1.0 + std::abs(x[k]))) << channel << ", t = " << t[k] << ", " << loop;
    for (const double rest : motion["residual.ideality"]) EXPECT_LT(rest, 1e-10);
  }
}

/// A ring on a horizontal shaft slides and turns. With J = m r² the friction μ m g brakes (x', r φ') as it would brake
/// a point in a plane: in a straight line, w' = −μ g.
TEST(JointFriction, ARingSlidesAndTurnsOnAShaft) {
  const double mu = 0.3, r = 0.2, v = 1.5, omega = 10.0, w = std::hypot(v, r * omega);
  const std::string toml = fmt::format(R"toml(
    gravity = [0, 0, -9.81]
    [body.ring]
    mass = 2
    inertia = ["2*0.04", 0.05, 0.05]
    position = [0, 0, 0]
    markers = {{ rim = [0, 0.2, 0] }}
    [joint]
    shaft = {{ cylindrical = ["ground", "ring"], at = [0, 0, 0], axis = [1, 0, 0], speed = {{ distance = {}, angle = {} }}, friction = {{ coefficient = {}, radius = {} }} }}
  )toml",
                                       v, omega, mu, r);
  const double stop = w / (mu * g);
  const auto way = [&](double t) { return t < stop ? w * t - mu * g * t * t / 2 : w * stop / 2; };
  expect_motion(toml, 1.2 * stop, "shaft.distance", [&](double t) { return v / w * way(t); });
  expect_motion(toml, 1.2 * stop, "ring.rim.y", [&](double t) { return r * std::cos(omega / w * way(t)); });
  const MechanismRun motion = run(toml, 1.2 * stop);
  EXPECT_EQ(motion["contact.shaft"].front(), 1.0);
  EXPECT_EQ(motion["contact.shaft"].back(), 0.0);  // it has come to rest, in both ways at once
}

/// Down a slope of β: a = g (sin β − μ cos β).
TEST(JointFriction, ABallOnARod) {
  const double beta = 0.6, mu = 0.25;
  expect_motion(fmt::format(R"toml(
    gravity = [0, 0, -9.81]
    [body.ball]
    shape = "sphere"
    radius = 0.1
    mass = 0.8
    position = [0, 0, 0]
    [joint]
    rod = {{ point_on_line = ["ground", "ball"], at = [0, 0, 0], axis = [{}, 0, {}], friction = {{ coefficient = {} }} }}
    [force]
    spin = {{ on = "ball", torque = [0, 0.01, 0] }}
  )toml",
                            std::cos(beta), -std::sin(beta), mu),
                1.0, "rod.distance", [&](double t) { return g * (std::sin(beta) - mu * std::cos(beta)) * t * t / 2; });
}

/// A puck: straight on with −μ g; with a radius it spins down by itself, J φ'' = −μ m g r.
TEST(JointFriction, APuckOnATable) {
  const double mu = 0.2, r = 0.05, J = 0.004, m = 0.5;
  const std::string toml = fmt::format(R"toml(
    gravity = [0, 0, -9.81]
    [body.puck]
    mass = {}
    inertia = [0.002, 0.002, {}]
    position = [0, 0, 0]
    markers = {{ rim = [0.1, 0, 0] }}
    [joint]
    table = {{ planar = ["ground", "puck"], at = [0, 0, 0], axis = [0, 0, 1], speed = {{ x = 1.2, y = 0.9, angle = 20 }}, friction = {{ coefficient = {}, radius = {} }} }}
  )toml",
                                       m, J, mu, r);
  expect_motion(toml, 0.6, "table.x", [&](double t) { return 0.8 * (1.5 * t - mu * g * t * t / 2); });
  const MechanismRun motion = run(toml, 0.6);
  const std::vector<double> t = motion["t"], angle = motion["table.angle"];
  for (std::size_t k = 0; k < t.size(); ++k)
    EXPECT_NEAR(angle[k], 20 * t[k] - mu * m * g * r / J * t[k] * t[k] / 2, exact * (1.0 + angle[k]));
}

/// A torque turns a plate about a point of it that is pressed on a table, beside its mass centre. Where that point
/// begins to slide, friction acts against its acceleration, with all of μ N; the plate has not the same inertia in all
/// directions, so that this is not the direction of the force that would have held it.
TEST(JointFriction, AnEccentricPlateBeginsToSlideAlongItsAcceleration) {
  for (const double mu : {0.05, 0.15, 0.2, 0.25}) {
    const MechanismRun motion = run(fmt::format(R"toml(
      gravity = [0.3, 0.2, -2]
      [body.plate]
      mass = 1.5
      inertia = [0.1, 0.2, 0.25]
      position = [0.3, 0.2, 0.1]
      [joint]
      table = {{ planar = ["ground", "plate"], at = [0, 0, 0], axis = [0, 0, 1], friction = {{ coefficient = {}, radius = 0.02 }} }}
      [force]
      motor = {{ on = "plate", torque = [0, 0, 0.5] }}
    )toml",
                                                mu),
                                    0.01);
    const double fx = motion["force.table_1"][0], fy = motion["force.table_2"][0];
    const double ax = motion["table.x''"][0], ay = motion["table.y''"][0], a = std::hypot(ax, ay);
    EXPECT_GT(a, 0.01) << mu;
    EXPECT_NEAR(fx, -mu * 3.0 * ax / a, 1e-11) << mu;  // laws are solved to 1e-12
    EXPECT_NEAR(fy, -mu * 3.0 * ay / a, 1e-11) << mu;
    EXPECT_LT(std::abs(motion["energy.balance"].back()), 1e-10) << mu;
  }
}

TEST(JointFriction, APointOnATable) {
  expect_motion(R"toml(
    gravity = [0, 0, -9.81]
    [body.ball]
    shape = "sphere"
    radius = 0.1
    mass = 0.8
    position = [0, 0, 0]
    [joint]
    table = { point_on_plane = ["ground", "ball"], at = [0, 0, 0], axis = [0, 0, 1], speed = { x = 1.2, y = -0.9 }, friction = { coefficient = 0.2 } }
  )toml",
                0.6, "table.y", [&](double t) { return -0.6 * (1.5 * t - 0.2 * g * t * t / 2); });
}

/// A load on a screw of the lead angle α, tan α = p/r, and the angle of friction tan ρ = μ: it rises with
/// J φ'' = −r tan(α ± ρ) (m g + m p φ''), + while it rises, − while it sinks.
TEST(JointFriction, AJackScrew) {
  const double p = 0.05, r = 0.04, mu = 0.2, m = 3.0, J = 0.02, alpha = std::atan(p / r), rho = std::atan(mu);
  for (const double speed : {8.0, -3.0}) {
    const double slope = std::tan(alpha + std::copysign(rho, speed));
    const double a = -r * slope * m * g / (J + m * p * r * slope);
    const double until = speed > 0.0 ? 0.9 * speed / -a : 1.0;
    const std::string toml = fmt::format(R"toml(
      gravity = [0, 0, -9.81]
      [body.load]
      mass = {}
      inertia = [0.03, 0.03, {}]
      position = [0, 0, 0]
      markers = {{ top = [0, 0, 0.1] }}
      [joint]
      jack = {{ screw = ["ground", "load"], at = [0, 0, 0], axis = [0, 0, 1], pitch = {}, speed = {}, friction = {{ coefficient = {}, radius = {} }} }}
    )toml",
                                         m, J, p, speed, mu, r);
    expect_motion(toml, until, "load.top.z", [&](double t) { return 0.1 + p * (speed * t + a * t * t / 2); });
  }
}

/// A ball that spins under its socket: N = m g, J φ'' = −μ m g r.
TEST(JointFriction, ABallInItsSocket) {
  const double mu = 0.3, r = 0.02, m = 1.5, J = 0.01, omega = 12.0;
  const std::string toml = fmt::format(R"toml(
    gravity = [0, 0, -9.81]
    [body.bob]
    mass = {}
    inertia = [0.02, 0.02, {}]
    position = [0, 0, -0.3]
    markers = {{ side = [0.1, 0, -0.3] }}
    [joint]
    ball = {{ spherical = ["ground", "bob"], at = [0, 0, 0], speed = {{ wz = {} }}, friction = {{ coefficient = {}, radius = {} }} }}
  )toml",
                                       m, J, omega, mu, r);
  const double a = -mu * m * g * r / J, stop = -omega / a;
  expect_motion(toml, 1.2 * stop, "bob.side.x",
                [&](double t) { return 0.1 * std::cos(t < stop ? omega * t + a * t * t / 2 : omega * stop / 2); });
}

/// About one of its pins alone, while the other sticks, a universal joint is a revolute one.
TEST(JointFriction, OnePinOfAUniversalJoint) {
  const std::string body = R"toml(
    gravity = [0, 0, -9.81]
    [body.bob]
    mass = 1.5
    inertia = [0.02, 0.03, 0.01]
    position = [0, 0.2, -0.3]
    [joint]
  )toml";
  const std::string friction = "speed = 2, friction = { coefficient = 0.2, radius = 0.05 } }\n";
  const MechanismRun hinge =
      run(body + R"(j = { revolute = ["ground", "bob"], at = [0, 0, 0], axis = [1, 0, 0], )" + friction, 1.0);
  for (const bool loop : {false, true}) {
    const MechanismRun cross = run(
        body +
            R"(j = { universal = ["ground", "bob"], at = [0, 0, 0], axis = [1, 0, 0], second_axis = [0, 1, 0], speed = { angle_1 = 2 }, friction = { coefficient = 0.2, radius = 0.05 } })",
        1.0, loop);
    expect_same(hinge, cross, {"j.angle", "j.force.y", "j.force.z", "force.j"},
                {"j.angle_1", "j.force.y", "j.force.z", "force.j_angle_1"});
    for (const double stuck : cross["contact.j_angle_2"]) EXPECT_EQ(stuck, 0.0);
  }
}

TEST(JointFriction, WhereverTheLoopIsCut) {
  Model model = read_example("four_bar");
  model.mechanism.joints[2].friction = JointFriction{Formula(0.2), {}, Formula(0.03), {}};
  const std::vector<std::string> channels = {"coupler.middle.x", "coupler.middle.y", "pin_1.angle", "pin_1.force.x",
                                             "pin_3.force.y",    "force.pin_3",      "power.pin_3"};
  const MechanismRun first(model, 0.5, 0.02, fine_rtol, fine_atol);
  for (std::size_t cut = 0; cut < 4; ++cut) {
    Model other = model;
    other.mechanism.joints[cut].loop = true;
    expect_same(first, MechanismRun(other, 0.5, 0.02, fine_rtol, fine_atol), channels);
  }
  Model wanted = model;  // the joint with friction closes the loop, and its coordinate is asked for
  wanted.mechanism.joints[2].loop = true;
  wanted.outputs.push_back({"twice", "2*pin_3.angle", "rad", {}});
  const MechanismRun asked(wanted, 0.5, 0.02, fine_rtol, fine_atol);
  expect_same(first, asked, channels);
  const std::vector<double> twice = asked["twice"], once = first["pin_3.angle"];
  for (std::size_t k = 0; k < twice.size(); ++k) EXPECT_NEAR(twice[k], 2.0 * once[k], 2e-9 * (1.0 + std::abs(once[k])));
}

/// The direction in which a force is given in the frame of a body is that of the body as it is turned in the drawing.
TEST(BodyFrame, AForceOnATurnedBody) {
  const auto rocket = [](const std::string& turned, const std::string& force) {
    return run(R"toml(
      dimension = 2
      [body.rocket]
      mass = 2
      inertia = 0.1
      position = [0, 0]
      turned = )toml" +
                   turned + R"toml(
      [joint]
      sky = { free = ["ground", "rocket"], at = [0, 0], speed = { angle = 0.7 } }
      [force]
      thrust = { on = "rocket", frame = "body", force = )toml" +
                   force + " }\n",
               2.0);
  };
  expect_same(rocket("0", "[3, 4]"), rocket("\"atan2(4, 3)\"", "[5, 0]"), {"sky.x", "sky.y", "sky.angle"});
  const MechanismRun motion = rocket("0", "[1, 0]");  // x'' = F/m cos ωt
  const std::vector<double> t = motion["t"], v = motion["sky.x'"];
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(v[k], std::sin(0.7 * t[k]) / 1.4, 1e-11);
}

}  // namespace
}  // namespace maggi::test
