// A joint that closes a loop has the same coordinates as one of the tree, over many turns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "maggi/io/model_file.hpp"
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

class LoopJoints : public testing::TestWithParam<LoopJoint> {};

Model body_on(const LoopJoint& given, bool loop) {
  Model model = parse_model(fmt::format(R"toml(
    gravity = [0.3, 0.2, -2]
    [body.block]
    mass = 1.5
    inertia = [0.03, 0.04, 0.05]
    position = [0.05, 0.02, 0.1]
    [joint]
    j = {{ {} }}
    [force]
    load = {{ on = "block", {} }}
  )toml",
                                        given.joint, given.load),
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
};

INSTANTIATE_TEST_SUITE_P(All, LoopJoints, testing::ValuesIn(joints), [](const auto& test) { return test.param.name; });

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
