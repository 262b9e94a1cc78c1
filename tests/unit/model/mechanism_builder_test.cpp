// A mechanism built in C++ is the same model as the file that says the same.
#include "maggi/mechanism_builder.hpp"

#include <gtest/gtest.h>

#include "io/toml/model_file.hpp"
#include "system/make_system.hpp"

namespace maggi {
namespace {

/// Both as text: everything in them is the same.
void expect_same(const Model& built, const std::string& toml) {
  EXPECT_EQ(write_model(built), write_model(parse_model(toml, "model.toml")));
  EXPECT_NO_THROW(make_system(built));
}

TEST(MechanismBuilder, IntegersAreNumbers) {
  EXPECT_EQ(Number(0).text, "0");
  EXPECT_EQ(Number(-3).text, "-3");
  EXPECT_EQ(Number(0.5).text, "0.5");
  EXPECT_EQ(Number("l").text, "l");
}

TEST(MechanismBuilder, PlanarMechanism) {
  MechanismBuilder m(planar);
  m.title("Arm and wheel");
  m.gravity({0, -9.81});
  m.reaction_frame(ReactionFrame::body);
  m.data_tolerance(1e-5);
  m.keep_data();
  m.parameter("l", 1.5, "m");
  BodyHandle arm = m.body("arm", rod({0, 0}, {"l", 0}, 2));
  const Point tip = arm.marker("tip", {"l", 0});
  BodyHandle wheel = m.body("wheel", disc({3, 0.2}, 0.2));
  wheel.density(100).turned(0.1);
  BodyHandle plate = m.body("plate", box({0, 2}, {0.1, 0.2}, 1));
  BodyHandle lump = m.body("lump", rigid_body(arm.at(0.1, 0), 1, {0.5}));
  m.revolute("hinge", m.ground(), arm, {0, 0})
      .start(0.1)
      .speed("2*l")
      .limits({.lower = -1, .upper = 1, .restitution = 0.5})
      .friction({.coefficient = 0.2, .radius = 0.01});
  m.prismatic("slide", m.ground(), plate, {0, 2}, {1, 0}).guess(0.2).loop();
  m.rolling("roll", m.ground(), wheel, {3, 0.2}, 0.2).normal({0, 1});
  m.fixed("weld", arm, lump, tip);
  m.distance("bar", arm, tip, plate, {0, 2}).length(2.5);
  m.spring("s", m.ground(), {0, 1}, arm, tip, {.stiffness = 10, .damping = 1, .length = 1});
  m.joint_force("motor", Reference{"hinge"}, {.stiffness = 2, .force = "sin(t)", .rest = 0.1});
  m.force("push", plate, {.force = {1, 0}, .torque = {0.5}, .at = plate.centre(), .turns_with_body = true});
  m.bushing("mount", m.ground(), plate, {0, 2}, {.stiffness = {1, 2}, .torsion_stiffness = {3}});
  m.output("height", "arm.tip.y", "m");
  expect_same(m.model(), R"toml(
title = "Arm and wheel"
dimension = 2
gravity = [0, -9.81]
reaction_frame = "body"
data_tolerance = 1e-5
repair = false
[parameters]
l = { value = 1.5, unit = "m" }
[body.arm]
shape = "rod"
mass = 2
from = [0, 0]
to = ["l", 0]
markers = { tip = ["l", 0] }
[body.wheel]
shape = "disc"
position = [3, 0.2]
radius = 0.2
density = 100
turned = 0.1
[body.plate]
shape = "box"
mass = 1
position = [0, 2]
size = [0.1, 0.2]
[body.lump]
mass = 1
inertia = 0.5
position = { arm = [0.1, 0] }
[joint]
hinge = { revolute = ["ground", "arm"], at = [0, 0], start = 0.1, speed = "2*l", limits = { lower = -1, upper = 1, restitution = 0.5 }, friction = { coefficient = 0.2, radius = 0.01 } }
slide = { prismatic = ["ground", "plate"], at = [0, 2], axis = [1, 0], guess = 0.2, loop = true }
roll = { rolling = ["ground", "wheel"], at = [3, 0.2], radius = 0.2, normal = [0, 1] }
weld = { fixed = ["arm", "lump"], at = "arm.tip" }
bar = { distance = ["arm", "plate"], at = "arm.tip", to = [0, 2], length = 2.5 }
[force]
s = { spring = ["ground", "arm"], from = [0, 1], to = "arm.tip", stiffness = 10, damping = 1, length = 1 }
motor = { joint = "hinge", stiffness = 2, torque = "sin(t)", rest = 0.1 }
push = { on = "plate", at = "plate.centre", force = [1, 0], torque = 0.5, frame = "body" }
mount = { bushing = ["ground", "plate"], at = [0, 2], stiffness = [1, 2], torsion_stiffness = 3 }
[output]
height = { formula = "arm.tip.y", unit = "m" }
)toml");
}

TEST(MechanismBuilder, EveryJointInSpace) {
  MechanismBuilder m;
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < 11; ++i) bodies.push_back(m.body("b" + std::to_string(i), sphere({i, 0, 0}, 0.1, 1)));
  const Reference g = m.ground();
  m.revolute("j0", g, bodies[0], {0, 0, 0}, {0, 0, 1});
  m.cylindrical("j1", g, bodies[1], {1, 0, 0}, {0, 0, 1}).start(0.1, "angle").speed(2, "distance");
  m.screw("j2", g, bodies[2], {2, 0, 0}, {0, 0, 1}, 0.01);
  m.universal("j3", g, bodies[3], {3, 0, 0.1}, {1, 0, 0}, {0, 1, 0});
  m.spherical("j4", g, bodies[4], {4, 0, 0});
  m.planar("j5", g, bodies[5], {5, 0, 0}, {0, 0, 1});
  m.free("j6", g, bodies[6], {6, 0, 0});
  m.point_on_line("j7", g, bodies[7], {7, 0, 0}, {1, 0, 0});
  m.point_on_plane("j8", g, bodies[8], {8, 0, 0}, {0, 0, 1});
  m.rolling("j9", g, bodies[9], {9, 0, 0}, 0.1, {0, 1, 0});
  m.knife_edge("j10", g, bodies[10], {10, 0, 0}, {0, 1, 0});
  m.gear("gears", Reference{"j0"}, Reference{"j1.angle"}, 20, 40);
  m.rack_and_pinion("rack", Reference{"j1.distance"}, Reference{"j2"}, 0.05);
  m.drive("turn", Reference{"j3"}, "t", "angle_1");
  m.drive_marker("lead", bodies[6].centre(), {"6", "t", "0"});
  m.drive_distance("reach", g, {0, 0, 1}, bodies[4], {4, 0, 0}, "4 + t");
  std::string toml;
  for (int i = 0; i < 11; ++i)
    toml += "[body.b" + std::to_string(i) + "]\nshape = \"sphere\"\nradius = 0.1\nmass = 1\nposition = [" +
            std::to_string(i) + ", 0, 0]\n";
  expect_same(m.model(), toml + R"toml(
[joint]
j0 = { revolute = ["ground", "b0"], at = [0, 0, 0], axis = [0, 0, 1] }
j1 = { cylindrical = ["ground", "b1"], at = [1, 0, 0], axis = [0, 0, 1], start = { angle = 0.1 }, speed = { distance = 2 } }
j2 = { screw = ["ground", "b2"], at = [2, 0, 0], axis = [0, 0, 1], pitch = 0.01 }
j3 = { universal = ["ground", "b3"], at = [3, 0, 0.1], axis = [1, 0, 0], second_axis = [0, 1, 0] }
j4 = { spherical = ["ground", "b4"], at = [4, 0, 0] }
j5 = { planar = ["ground", "b5"], at = [5, 0, 0], axis = [0, 0, 1] }
j6 = { free = ["ground", "b6"], at = [6, 0, 0] }
j7 = { point_on_line = ["ground", "b7"], at = [7, 0, 0], axis = [1, 0, 0] }
j8 = { point_on_plane = ["ground", "b8"], at = [8, 0, 0], axis = [0, 0, 1] }
j9 = { rolling = ["ground", "b9"], at = [9, 0, 0], axis = [0, 1, 0], radius = 0.1 }
j10 = { knife_edge = ["ground", "b10"], at = [10, 0, 0], axis = [0, 1, 0] }
[coupling]
gears = { gear = ["j0", "j1.angle"], teeth = [20, 40] }
rack = { rack_and_pinion = ["j1.distance", "j2"], radius = 0.05 }
[driver]
turn = { joint = "j3.angle_1", follows = "t" }
lead = { marker = "b6.centre", follows = ["6", "t", "0"] }
reach = { distance = ["ground", "b4"], from = [0, 0, 1], to = [4, 0, 0], follows = "4 + t" }
)toml");
}

TEST(MechanismBuilder, SaysWhatIsWrong) {
  MechanismBuilder m(planar);
  m.body("arm", rod({0, 0}, {1, 0}, 1));
  m.revolute("pin", m.ground(), Reference{"arm"}, {0, 0}).start(0.1).guess(0.2);
  try {
    m.model();
    FAIL() << "no error";
  } catch (const Error& error) { EXPECT_EQ(error.cause(), "pin has both start and guess"); }
}

}  // namespace
}  // namespace maggi
