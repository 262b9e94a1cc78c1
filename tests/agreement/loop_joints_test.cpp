// A joint that closes a loop has the same coordinates as one of the tree, over many turns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <memory>
#include <random>

#include "io/toml/model_file.hpp"
#include "support/four_bar_chain.hpp"
#include "support/in_space.hpp"
#include "support/reference.hpp"
#include "support/same_motion.hpp"

namespace maggi::test {
namespace {

struct LoopJoint {
  std::string name;
  std::string joint;                     ///< after at
  std::vector<std::string> coordinates;  ///< all that it has
  std::string load;                      ///< that turns and moves the body
};

void PrintTo(const LoopJoint& joint, std::ostream* out) { *out << joint.name; }

class LoopJoints : public testing::TestWithParam<LoopJoint> {};

/// `in_joint`: what else the joint has; `more`: what else acts.
Model body_on(const LoopJoint& given, bool loop, const std::string& in_joint = "", const std::string& more = "") {
  Model model = parse_model(fmt::format(R"toml(
    gravity = [0.3, 0.2, -2]
    [body.block]
    mass = 1.5
    inertia = [0.03, 0.04, 0.05]
    position = [0.05, 0.02, 0.1]
    [joint]
    j = {{ {}{} }}
    [force]
    load = {{ on = "block", {} }}
    {}
  )toml",
                                        given.joint, in_joint, given.load, more),
                            "test.toml");
  model.mechanism.joints[0].loop = loop;
  return model;
}

TEST_P(LoopJoints, HasTheCoordinatesThatItHasInTheTree) {
  const MechanismRun tree(body_on(GetParam(), false), 2.0, 0.1, fine_rtol, fine_atol);
  const MechanismRun loop(body_on(GetParam(), true), 2.0, 0.1, fine_rtol, fine_atol);
  std::vector<std::string> channels;
  for (const std::string& part : GetParam().coordinates) channels.push_back("j." + part);
  expect_same(tree, loop, channels);
  for (const std::string& channel : channels) {
    EXPECT_EQ(tree.trajectory->find(channel) < tree.trajectory->group("outputs").first, true) << channel;
    EXPECT_EQ(loop.trajectory->find(channel) < loop.trajectory->group("outputs").first, false) << channel;
  }
  // counted on from step to step, however seldom a state is stored
  const MechanismRun seldom(body_on(GetParam(), true), 2.0, 2.0, fine_rtol, fine_atol);
  for (const std::string& channel : channels)
    EXPECT_NEAR(seldom[channel].back(), loop[channel].back(), same * (1.0 + std::abs(loop[channel].back()))) << channel;
}

const std::vector<LoopJoint> joints = {
    {"Revolute",
     R"(revolute = ["ground", "block"], at = [0, 0, 0], axis = [0, 1, 1])",
     {"angle"},
     "torque = [0, 0.3, 0.3]"},
    {"RevoluteOfTheGround",
     R"(revolute = ["block", "ground"], at = [0, 0, 0], axis = [0, 1, 1])",
     {"angle"},
     "torque = [0, 0.3, 0.3]"},
    {"Prismatic",
     R"(prismatic = ["ground", "block"], at = [0, 0, 0], axis = [1, 0, 1])",
     {"distance"},
     "force = [1, 0, 5]"},
    {"Cylindrical",
     R"(cylindrical = ["ground", "block"], at = [0, 0, 0], axis = [1, 0, 0])",
     {"distance", "angle"},
     "torque = [0.4, 0, 0]"},
    {"Screw",
     R"(screw = ["ground", "block"], at = [0, 0, 0], axis = [0, 0, 1], pitch = 0.02)",
     {"angle"},
     "torque = [0, 0, 0.5]"},
    {"Universal",
     R"(universal = ["ground", "block"], at = [0, 0, 0], axis = [1, 0, 0], second_axis = [0, 1, 0])",
     {"angle_1", "angle_2"},
     R"(frame = "body", torque = [0.5, 0.01, 0])"},
    {"Spherical",
     R"(spherical = ["ground", "block"], at = [0, 0, 0])",
     {"qw", "qx", "qy", "qz"},
     "torque = [0.1, 0.4, 0.4]"},
    {"SphericalOfTheGround",
     R"(spherical = ["block", "ground"], at = [0, 0, 0])",
     {"qw", "qx", "qy", "qz"},
     "torque = [0.1, 0.4, 0.4]"},
    {"Planar",
     R"(planar = ["ground", "block"], at = [0, 0, 0], axis = [0, 0, 1])",
     {"x", "y", "angle"},
     "torque = [0, 0, 0.5]"},
    {"PointOnLine",
     R"(point_on_line = ["ground", "block"], at = [0, 0, 0], axis = [1, 0, 0])",
     {"distance", "qw", "qx", "qy", "qz"},
     "torque = [0.2, 0.1, 0.2]"},
    {"PointOnPlane",
     R"(point_on_plane = ["ground", "block"], at = [0, 0, 0], axis = [0, 0, 1])",
     {"x", "y", "qw", "qx", "qy", "qz"},
     "torque = [0.1, 0.2, 0.2]"},
    {"Free",
     R"(free = ["ground", "block"], at = [0, 0, 0])",
     {"x", "y", "z", "qw", "qx", "qy", "qz"},
     "torque = [0.1, 0.2, 0.2]"},
};

INSTANTIATE_TEST_SUITE_P(All, LoopJoints, testing::ValuesIn(joints), [](const auto& test) { return test.param.name; });

// --- what acts on a joint that closes a loop acts as on one of the tree ----------------------------------------------

/// Its coordinates but for those of a rotation, which nothing acts along.
std::vector<std::string> scalars(const LoopJoint& given) {
  std::vector<std::string> names;
  for (const std::string& part : given.coordinates)
    if (part[0] != 'q') names.push_back(part);
  return names;
}

std::vector<LoopJoint> joints_with_scalars() {
  std::vector<LoopJoint> some;
  for (const LoopJoint& joint : joints)
    if (!scalars(joint).empty()) some.push_back(joint);
  return some;
}

class LoopCoordinates : public LoopJoints {};

INSTANTIATE_TEST_SUITE_P(All, LoopCoordinates, testing::ValuesIn(joints_with_scalars()),
                         [](const auto& test) { return test.param.name; });

/// For each of them.
template <class Text>
std::string for_each(const LoopJoint& given, const Text& text) {
  std::string all;
  for (const std::string& part : scalars(given)) all += (all.empty() ? "" : ", ") + text(part);
  return all;
}

/// The same motion, reactions and events in the tree and in a loop.
std::unique_ptr<MechanismRun> expect_same_in_loop(const LoopJoint& given, const std::string& in_joint,
                                                  const std::string& more) {
  constexpr double output = 0.051;  // no impact comes at such a time
  auto in_tree =
      std::make_unique<MechanismRun>(body_on(given, false, in_joint, more), 1.0, output, fine_rtol, fine_atol);
  const MechanismRun& tree = *in_tree;
  const MechanismRun loop(body_on(given, true, in_joint, more), 1.0, output, fine_rtol, fine_atol);
  std::vector<std::string> channels = {"j.force.x", "j.force.y", "j.force.z"};
  for (const std::string& part : given.coordinates) channels.push_back("j." + part);
  expect_same(tree, loop, channels);
  EXPECT_EQ(tree.run.events.size(), loop.run.events.size());
  for (std::size_t k = 0; k < std::min(tree.run.events.size(), loop.run.events.size()); ++k) {
    EXPECT_NEAR(tree.run.events[k].t, loop.run.events[k].t, same);
    EXPECT_EQ(tree.run.events[k].name, loop.run.events[k].name);
    EXPECT_EQ(tree.run.events[k].what, loop.run.events[k].what);
  }
  return in_tree;
}

TEST_P(LoopCoordinates, SpringsAndDampersActOnIt) {
  std::string forces;
  for (const std::string& part : scalars(GetParam()))
    forces += fmt::format("on_{0} = {{ joint = \"j.{0}\", stiffness = 3, damping = 0.2, rest = 0.1 }}\n", part);
  expect_same_in_loop(GetParam(), "", forces);
}

TEST_P(LoopCoordinates, ElasticLimitsActOnIt) {
  const std::string limits = for_each(GetParam(), [](const std::string& part) {
    return part + " = { lower = -0.05, upper = 0.05, stiffness = 50, damping = 0.5 }";
  });
  expect_same_in_loop(GetParam(), ", limits = { " + limits + " }", "");
}

/// With a restitution of 0.5 most of them bounce until they rest: at the same bounce, whatever other coordinates there
/// are, and some are thrown off again.
TEST_P(LoopCoordinates, RigidLimitsActOnIt) {
  for (const double restitution : {1.0, 0.5, 0.0}) {
    const std::string limits = for_each(GetParam(), [&](const std::string& part) {
      return fmt::format("{} = {{ lower = -0.05, upper = 0.05, restitution = {} }}", part, restitution);
    });
    EXPECT_FALSE(expect_same_in_loop(GetParam(), ", limits = { " + limits + " }", "")->run.events.empty());
  }
}

/// Under the constant acceleration a it is at the stop at t₁ = √(2 d/a), and then after flights of 2 e^k a t₁/a each:
/// all impacts that are made, and then rest in t₁ (1 + e)/(1 − e).
TEST(LoopJointsOfMechanisms, BouncesUntilItRests) {
  const double a = 4.0, d = 0.05, e = 0.5, first = std::sqrt(2 * d / a);
  for (const bool loop : {false, true}) {
    Model model = parse_model(R"toml(
      gravity = [4, 0, 0]
      [body.far]
      mass = 1
      inertia = [1, 1, 1]
      position = [0, 1000, 0]
      [body.block]
      mass = 1
      inertia = [0.1, 0.1, 0.1]
      position = [0, 0.1, 0]
      [joint]
      j = { prismatic = ["ground", "block"], at = [0, 0, 0], axis = [1, 0, 0], limits = { upper = 0.05, restitution = 0.5 } }
      rest = { fixed = ["ground", "far"], at = [0, 0, 0] }
    )toml",
                              "test.toml");
    model.mechanism.joints[0].loop = loop;
    const MechanismRun run(model, 1.0, 0.1, fine_rtol, fine_atol);
    const auto& events = run.run.events;
    double t = first, flight = 2 * first;
    ASSERT_EQ(events.size(), 14u) << loop;  // the next would rise by less than 4e-10
    for (std::size_t k = 0; k < events.size(); ++k, t += flight *= e) {
      EXPECT_NEAR(events[k].t, t, 1e-9) << k << ", " << loop;  // quadratic in t; a gap is closed to 1e-10
      EXPECT_EQ(events[k].what, k + 1 < events.size() ? "impact" : "impact, rests") << k << ", " << loop;
    }
    EXPECT_NEAR(events.back().t, first * (1 + e) / (1 - e), 5 * first * std::pow(e, 14));  // what is left of the series
    EXPECT_NEAR(run["j.distance"].back(), d, 1e-12) << loop;
    EXPECT_NEAR(run["j.distance'"].back(), 0.0, 1e-12) << loop;
    EXPECT_NEAR(run["j.force.x"].back(), -a, 1e-9) << loop;
  }
}

TEST_P(LoopCoordinates, DriversActOnIt) {
  std::string drivers = "[driver]\n";
  for (const std::string& part : scalars(GetParam()))
    drivers += fmt::format("drive_{0} = {{ joint = \"j.{0}\", follows = \"0.3*sin(2*t)\" }}\n", part);
  const auto run = expect_same_in_loop(GetParam(), "", drivers);
  const MechanismRun& tree = *run;
  const std::vector<double> t = tree["t"], driven = tree["j." + scalars(GetParam())[0]];
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(driven[k], 0.3 * std::sin(2 * t[k]), 1e-12);  // projected
}

// --- a joint of which only some values are given ---------------------------------------------------------------------

/// Names of its velocities, without primes.
std::vector<std::string> freedoms(const LoopJoint& given) {
  std::vector<std::string> names = scalars(given);
  if (names.size() < given.coordinates.size()) names.insert(names.end(), {"wx", "wy", "wz"});
  return names;
}

double at_start(const MechanismRun& run, const std::string& channel) { return run[channel].front(); }

std::vector<LoopJoint> joints_with_several() {
  std::vector<LoopJoint> some;
  for (const LoopJoint& joint : joints)
    if (freedoms(joint).size() > 1) some.push_back(joint);
  return some;
}

class PartlyGiven : public LoopJoints {};

INSTANTIATE_TEST_SUITE_P(All, PartlyGiven, testing::ValuesIn(joints_with_several()),
                         [](const auto& test) { return test.param.name; });

/// One of its speeds: the others are 0, though the block, whose mass centre is elsewhere, would have less energy with
/// others.
TEST_P(PartlyGiven, OtherSpeedsAreZero) {
  const auto velocity = [](const std::string& part) { return "j." + part + (part[0] == 'w' ? "" : "'"); };
  for (const std::string& one : freedoms(GetParam())) {
    const std::string in_joint = ", speed = { " + one + " = 3 }";
    expect_same_in_loop(GetParam(), in_joint, "");
    for (const bool loop : {false, true}) {
      const MechanismRun run(body_on(GetParam(), loop, in_joint), 0.0, 1.0);
      for (const std::string& part : freedoms(GetParam()))
        EXPECT_NEAR(at_start(run, velocity(part)), part == one ? 3.0 : 0.0, 1e-14)
            << one << ", " << part << ", " << loop;
    }
  }
}

/// One of its coordinates: the others are as drawn, or where they are guessed to be.
TEST_P(PartlyGiven, OtherCoordinatesAreAsDrawn) {
  for (const std::string& one : scalars(GetParam())) {
    const std::string in_joint = ", start = { " + one + " = 0.4 }";
    expect_same_in_loop(GetParam(), in_joint, "");
    for (const std::string& other : scalars(GetParam())) {
      const std::string guess = other == one ? "" : ", guess = { " + other + " = -0.2 }";
      for (const bool loop : {false, true}) {
        const MechanismRun run(body_on(GetParam(), loop, in_joint + guess), 0.0, 1.0);
        for (const std::string& part : GetParam().coordinates) {
          const double expected = part == one ? 0.4 : part == other ? -0.2 : part == "qw" ? 1.0 : 0.0;
          EXPECT_NEAR(at_start(run, "j." + part), expected, 1e-14)
              << one << ", " << part << ", " << loop;  // kept: rounding
        }
      }
    }
  }
}

/// On a body that moves itself: the joint says how the block moves against it, and nothing about the arm.
TEST(PartlyGivenInALoop, TheArmBehindItStaysAtRest) {
  for (const bool loop : {false, true}) {
    Model model = parse_model(R"toml(
      gravity = [0, 0, -9.81]
      [body.arm]
      mass = 0.2
      inertia = [0.01, 0.02, 0.03]
      position = [0.5, 0, 0]
      [body.block]
      mass = 1.5
      inertia = [0.03, 0.04, 0.05]
      position = [1, 0.02, 0.3]
      [joint]
      hinge = { revolute = ["ground", "arm"], at = [0, 0, 0], axis = [0, 1, 0], start = 0.3 }
      j = { spherical = ["arm", "block"], at = [1, 0, 0], guess = { qw = 2, qy = 1 }, speed = { wx = 3 } }
    )toml",
                              "test.toml");
    model.mechanism.joints[1].loop = loop;
    const MechanismRun run(model, 0.0, 1.0);
    for (const auto& [channel, value] : {std::pair("hinge.angle", 0.3),
                                         {"hinge.angle'", 0.0},
                                         {"j.wx", 3.0},
                                         {"j.wy", 0.0},
                                         {"j.wz", 0.0},
                                         {"j.qy", 1 / std::sqrt(5)}})
      EXPECT_NEAR(at_start(run, channel), value, 1e-12) << channel << ", " << loop;  // the start ends at 1e-13
  }
}

/// A block on a table, led by an arm of two links: the arm follows, whichever joint closes the loop, though it would
/// have less to do if the block moved otherwise. Also beside so many others that the start is found with sparse
/// matrices.
TEST(PartlyGivenInALoop, OtherBodiesFollow) {
  for (const auto& [closing, others] : {std::pair<std::size_t, int>(0, 0), {1, 0}, {3, 0}, {0, 60}, {3, 60}}) {
    Model model = parse_model(R"toml(
      [body.upper]
      shape = "rod"
      mass = 3
      from = [0, 0, 0]
      to = [0.5, 0.5, 0]
      [body.lower]
      shape = "rod"
      mass = 2
      from = [0.5, 0.5, 0]
      to = [1, 0.1, 0]
      [body.block]
      mass = 0.5
      inertia = [0.03, 0.04, 0.05]
      position = [1.1, 0, 0]
      [joint]
      table = { planar = ["ground", "block"], at = [1.1, 0, 0], axis = [0, 0, 1], start = { y = 0.1 }, speed = { x = 0.4 } }
      shoulder = { revolute = ["ground", "upper"], at = [0, 0, 0], axis = [0, 0, 1] }
      elbow = { revolute = ["upper", "lower"], at = [0.5, 0.5, 0], axis = [0, 0, 1] }
      wrist = { spherical = ["lower", "block"], at = [1, 0.1, 0] }
    )toml",
                              "test.toml");
    model.mechanism.joints[closing].loop = true;
    if (others > 0) {
      const Mechanism chain = in_space(four_bar_chain_of_bodies(others)).mechanism;
      model.mechanism.bodies.insert(model.mechanism.bodies.end(), chain.bodies.begin(), chain.bodies.end());
      model.mechanism.joints.insert(model.mechanism.joints.end(), chain.joints.begin(), chain.joints.end());
    }
    const MechanismRun run(model, 0.0, 1.0);
    for (const auto& [channel, value] : {std::pair("table.x", 0.0),
                                         {"table.y", 0.1},
                                         {"table.angle", 0.0},
                                         {"table.x'", 0.4},
                                         {"table.y'", 0.0},
                                         {"table.angle'", 0.0}})
      EXPECT_NEAR(at_start(run, channel), value, 1e-12) << channel << ", joint " << closing << ", " << others;
  }
}

/// What a rod forbids is not held on to: the turn follows from the slide, in the tree and in a loop.
TEST(PartlyGivenInALoop, TheOthersChangeWhereTheyHaveTo) {
  for (const bool loop : {false, true}) {
    Model model = parse_model(R"toml(
      [body.block]
      mass = 1.5
      inertia = [0.03, 0.04, 0.05]
      position = [0.05, 0.02, 0.1]
      [joint]
      j = { cylindrical = ["ground", "block"], at = [0, 0, 0], axis = [0, 0, 1], speed = { distance = 0.3 } }
      rod = { distance = ["block", "ground"], at = [1, 0, 0], to = [1, 0.8, -0.6] }
    )toml",
                              "test.toml");
    model.mechanism.joints[0].loop = loop;
    const MechanismRun run(model, 0.0, 1.0);
    EXPECT_NEAR(at_start(run, "j.distance'"), 0.3, 1e-14) << loop;  // kept: rounding
    // (0, 0.8, −0.6) · (0, angle', 0.3) = 0
    EXPECT_NEAR(at_start(run, "j.angle'"), 0.6 * 0.3 / 0.8, 1e-12) << loop;
  }
}

// --- rotations given as quaternions ----------------------------------------------------------------------------------

std::vector<LoopJoint> joints_with_rotations() {
  std::vector<LoopJoint> some;
  for (const LoopJoint& joint : joints_with_several())
    if (scalars(joint).size() < joint.coordinates.size()) some.push_back(joint);
  return some;
}

class GivenRotation : public LoopJoints {};

INSTANTIATE_TEST_SUITE_P(All, GivenRotation, testing::ValuesIn(joints_with_rotations()),
                         [](const auto& test) { return test.param.name; });

/// Of any length; kept, if nothing is in the way, whether it is a start or a guess, and the body is where it says.
TEST_P(GivenRotation, IsWhereItBegins) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.9, 0.2, -0.3, 0.5).normalized();
  const bool turns_ground = GetParam().name == "SphericalOfTheGround";
  const Eigen::Vector3d centre = (turns_ground ? turn.conjugate() : turn) * Eigen::Vector3d(0.05, 0.02, 0.1);
  for (const char* key : {"start", "guess"}) {
    const std::string in_joint = fmt::format(", {} = {{ qw = 1.8, qx = 0.4, qy = -0.6, qz = 1.0 }}", key);
    expect_same_in_loop(GetParam(), in_joint, "");
    for (const bool loop : {false, true}) {
      const MechanismRun run(body_on(GetParam(), loop, in_joint), 0.0, 1.0);
      for (const auto& [part, value] :
           {std::pair("qw", turn.w()), {"qx", turn.x()}, {"qy", turn.y()}, {"qz", turn.z()}})
        EXPECT_NEAR(at_start(run, fmt::format("j.{}", part)), value, 1e-14) << key << loop;  // rounding
      const bool along_world = GetParam().name != "PointOnLine";                             // the axes of the joint
      for (int k = 0; k < 3 && along_world; ++k)
        EXPECT_NEAR(at_start(run, fmt::format("drawing.block.{}", "xyz"[k])), centre[k], 1e-12) << key << loop;
    }
  }
}

/// A lamp on a ball joint, its tip on a line above the table: assembled on the side to which the guess turns it.
TEST(GivenRotations, AGuessChoosesTheAssembly) {
  for (const bool loop : {false, true})
    for (const double side : {1.0, -1.0}) {
      Model model = parse_model(fmt::format(R"toml(
        [body.lamp]
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        position = [0.5, 0, 0]
        markers = {{ tip = [1, 0, 0] }}
        [joint]
        ball = {{ spherical = ["ground", "lamp"], at = [0, 0, 0], guess = {{ qw = 1, qz = {} }} }}
        [constraint]
        across = {{ position = "lamp.tip.x - 0.6", unit = "m" }}
        height = {{ position = "lamp.tip.z", unit = "m" }}
      )toml",
                                            0.3 * side),
                                "test.toml");
      model.mechanism.joints[0].loop = loop;
      const MechanismRun run(model, 0.0, 1.0);
      EXPECT_NEAR(at_start(run, "lamp.tip.y"), 0.8 * side, 1e-12) << loop;  // the start ends at 1e-13 (1 + |x|)
    }
}

/// Sliding from the start: which way it begins to slide from rest is a question of its own.
TEST_P(LoopJoints, FrictionActsInIt) {
  const std::string& joint = GetParam().joint;
  if (joint.starts_with("free")) return;  // nothing in it rubs
  const bool slides_only = joint.starts_with("prismatic") || joint.starts_with("point_on");
  std::string speeds = for_each(GetParam(), [](const std::string& part) { return part + " = 3"; });
  if (scalars(GetParam()).size() < GetParam().coordinates.size())
    speeds += std::string(speeds.empty() ? "" : ", ") + "wx = 3, wy = 2, wz = 1";
  expect_same_in_loop(GetParam(),
                      fmt::format(", speed = {{ {} }}, friction = {{ coefficient = 0.2{} }}", speeds,
                                  slides_only ? "" : ", radius = 0.02"),
                      "");
}

/// A shaft, a universal joint and a second shaft that may slide: 5 + 4 + 4 rows on two bodies of 6, one freedom left
/// over by the sleeve's slide. Driven by a torque on a body, so that no joint is asked for.
const char* shafts = R"toml(
  [body.first]
  shape = "cylinder"
  radius = 0.05
  mass = 2
  from = [0, 0, 0]
  to = [0.5, 0, 0]
  [body.second]
  shape = "cylinder"
  radius = 0.05
  mass = 2
  from = [0.5, 0, 0]
  to = [1.0, 0.2, 0]
  [joint]
  bearing = { revolute = ["ground", "first"], at = [0, 0, 0], axis = [1, 0, 0] }
  cross = { universal = ["first", "second"], at = [0.5, 0, 0], axis = [0, 1, 0], second_axis = [0, 0, 1] }
  sleeve = { cylindrical = ["ground", "second"], at = [1.0, 0.2, 0], axis = [0.5, 0.2, 0] }
  [force]
  motor = { on = "first", torque = [0.1, 0, 0] }
)toml";

TEST(LoopJointsOfMechanisms, ShaftsCutAnywhere) {
  const std::vector<std::string> channels = {"bearing.angle", "cross.angle_1", "cross.angle_2", "sleeve.distance",
                                             "sleeve.angle"};
  const Model model = parse_model(shafts, "test.toml");
  const MechanismRun first(model, 2.0, 0.05, fine_rtol, fine_atol);
  EXPECT_GT(first["bearing.angle"].back(), 15.0);  // more than two turns
  for (std::size_t cut = 0; cut < 3; ++cut) {
    Model other = model;
    other.mechanism.joints[cut].loop = true;
    expect_same(first, MechanismRun(other, 2.0, 0.05, fine_rtol, fine_atol), channels);
  }
}

// --- points and directions in the frame of a body --------------------------------------------------------------------

TEST(BodyFrames, TheSameMechanismDrawnInTheWorldAndInBodies) {
  const std::string world = R"toml(
    gravity = [0, 0, -9.81]
    [body.arm]
    mass = 1.2
    inertia = [0.01, 0.05, 0.05]
    position = [0.3, 0.4, 0]
    axis = [0, 0, 1]
    turned = "atan2(4, 3)"
    markers = { tip = [0.6, 0.8, 0] }
    [body.bob]
    shape = "sphere"
    radius = 0.1
    mass = 0.7
    position = [0.6, 0.8, -0.3]
    [joint]
    hinge = { revolute = ["ground", "arm"], at = [0, 0, 0], axis = [-4, 3, 0], speed = 1 }
    ball = { universal = ["arm", "bob"], at = [0.6, 0.8, 0], axis = [3, 4, 0], second_axis = [-4, 3, 0] }
    [force]
    push = { on = "arm", at = [0.6, 0.8, 0], force = ["-0.8*sin(t)", "0.6*sin(t)", 0] }
    pull = { spring = ["ground", "bob"], from = [0.5, -0.2, -1], to = [0.6, 0.8, -0.3], stiffness = 20 }
  )toml";
  const std::string bodies = R"toml(
    gravity = [0, 0, -9.81]
    [body.arm]
    mass = 1.2
    inertia = [0.01, 0.05, 0.05]
    position = [0.3, 0.4, 0]
    axis = [0, 0, 1]
    turned = "atan2(4, 3)"
    markers = { tip = { arm = [0.5, 0, 0] } }
    [body.bob]
    shape = "sphere"
    radius = 0.1
    mass = 0.7
    position = { arm = [0.5, 0, -0.3] }
    [joint]
    hinge = { revolute = ["ground", "arm"], at = { arm = [-0.5, 0, 0] }, axis = { arm = [0, 1, 0] }, speed = 1 }
    ball = { universal = ["arm", "bob"], at = "arm.tip", axis = { arm = [1, 0, 0] }, second_axis = { arm = [0, 1, 0] } }
    [force]
    push = { on = "arm", at = "arm.tip", force = ["-0.8*sin(t)", "0.6*sin(t)", 0] }
    pull = { spring = ["ground", "bob"], from = [0.5, -0.2, -1], to = "bob.centre", stiffness = 20 }
  )toml";
  const MechanismRun a(parse_model(world, "test.toml"), 1.0, 0.05, fine_rtol, fine_atol);
  const MechanismRun b(parse_model(bodies, "test.toml"), 1.0, 0.05, fine_rtol, fine_atol);
  expect_same(a, b, {"hinge.angle", "ball.angle_1", "ball.angle_2", "arm.tip.x", "arm.tip.z", "hinge.force.x"});
  const Model again = parse_model(write_model(parse_model(bodies, "test.toml")), "test.toml");
  expect_same(b, MechanismRun(again, 1.0, 0.05, fine_rtol, fine_atol), {"hinge.angle", "ball.angle_1"});
}

}  // namespace
}  // namespace maggi::test
