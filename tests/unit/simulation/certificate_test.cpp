// One certificate over all rows: what check calls unique is what a run gives, and the values are those of closed forms.
#include "simulation/certificate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "simulation/check_data.hpp"
#include "simulation/motion_data.hpp"
#include "support/source_tree.hpp"
#include "text/motion.hpp"

namespace maggi::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

/// Names of rows that are not unique, or of channels that a run does not have.
std::vector<std::string> not_unique(Simulation& simulation) { return simulation.check().not_unique(); }
bool has(const Motion& motion, const std::string& channel) {
  return motion.data().trajectory.find(channel).has_value();
}
double first(const Motion& motion, const std::string& channel) { return motion[channel][0]; }

constexpr double force_tolerance = 1e-9;  // forces of tens of N from a start that is consistent to 1e-13

/// The formula says the same as the rail: the two share the weight; the torque of the rail is zero, because the formula
/// acts in the mass centre, on the rail.
TEST(OneCertificate, RailAndFormula) {
  Simulation simulation(load_text(R"toml(
dimension = 2
gravity = [0, -9.81]
[body.block]
mass = 2.0
inertia = 0.1
position = [0, 0]
[joint]
rail = { prismatic = ["ground", "block"], at = [0, 0], axis = [1, 0], speed = 1.0 }
[constraint]
line = { position = "block.centre.y = 0", unit = "m" }
[simulation]
until = 0.1
)toml",
                                  "rail.toml"));
  EXPECT_THAT(not_unique(simulation), UnorderedElementsAre("rail.normal", "line"));
  EXPECT_EQ(simulation.check().rank(), 2);
  EXPECT_EQ(simulation.check().constraints(), 3);
  EXPECT_THAT(simulation.check().redundant(), ElementsAre("line"));
  const Motion motion = simulation.run();
  EXPECT_FALSE(has(motion, "rail.force.y"));
  EXPECT_FALSE(has(motion, "lambda.line"));
  EXPECT_NEAR(first(motion, "rail.torque"), 0.0, force_tolerance);
  EXPECT_NEAR(first(motion, "rail.force.x"), 0.0, force_tolerance);
}

/// The bar between two driven cranks can be stressed along itself, and only so.
TEST(OneCertificate, TwoMotors) {
  Simulation simulation(load_text(R"toml(
dimension = 2
gravity = [0, -9.81]
[body.a]
shape = "rod"
mass = 1.0
from = [0, 0]
to = [0, 1]
[body.b]
shape = "rod"
mass = 1.0
from = [2, 0]
to = [2, 1]
[body.bar]
shape = "rod"
mass = 2.0
from = [0, 1]
to = [2, 1]
[joint]
A = { revolute = ["ground", "a"], at = [0, 0] }
B = { revolute = ["ground", "b"], at = [2, 0] }
C = { revolute = ["a", "bar"], at = [0, 1] }
D = { revolute = ["b", "bar"], at = [2, 1] }
[driver]
motor_a = { joint = "A", follows = "0.5*t" }
motor_b = { joint = "B", follows = "0.5*t" }
[simulation]
until = 0.5
)toml",
                                  "motors.toml"));
  EXPECT_THAT(not_unique(simulation), UnorderedElementsAre("A.x", "B.x", "C.x", "D.x", "motor_a", "motor_b"));
  EXPECT_EQ(simulation.check().degrees_of_freedom(), 0);
  EXPECT_EQ(simulation.check().rank(), 9);
  const Motion motion = simulation.run();
  // at t = 0 the cranks stand and turn with 0.5 rad/s: what is above falls with ω² r = 0.25 m/s²
  const double of_bar = 1.0 * (9.81 - 0.25), of_crank = 9.81 - 0.125;
  for (const char* pin : {"A", "B"})
    EXPECT_NEAR(first(motion, std::string(pin) + ".force.y"), of_bar + of_crank, force_tolerance);
  for (const char* pin : {"C", "D"}) EXPECT_NEAR(first(motion, std::string(pin) + ".force.y"), of_bar, force_tolerance);
  for (const char* gone : {"A.force.x", "B.force.x", "C.force.x", "D.force.x", "lambda.motor_a", "lambda.motor_b"})
    EXPECT_FALSE(has(motion, gone)) << gone;
}

/// 18 rows of rank 17: three shafts, the pair that is there twice, and one that is not.
TEST(OneCertificate, GearsTwice) {
  Simulation simulation(load_text(R"toml(
[body.a]
mass = 1
inertia = [0.01, 0.01, 0.02]
position = [0, 0, 0]
[body.b]
mass = 1
inertia = [0.01, 0.01, 0.02]
position = [1, 0, 0]
[body.c]
mass = 1
inertia = [0.01, 0.01, 0.02]
position = [2, 0, 0]
[joint]
A = { revolute = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1], speed = 1.0 }
B = { revolute = ["ground", "b"], at = [1, 0, 0], axis = [0, 0, 1] }
C = { revolute = ["ground", "c"], at = [2, 0, 0], axis = [0, 0, 1] }
[coupling]
ab = { gear = ["A", "B"], teeth = [20, 60] }
ab2 = { gear = ["A", "B"], teeth = [10, 30] }
bc = { gear = ["B", "C"], teeth = [60, 20] }
)toml",
                                  "gears.toml"));
  EXPECT_THAT(not_unique(simulation), UnorderedElementsAre("ab", "ab2"));
  EXPECT_EQ(simulation.check().constraints(), 18);
  EXPECT_EQ(simulation.check().rank(), 17);
  EXPECT_THAT(simulation.check().redundant(), ElementsAre("ab2"));
  EXPECT_THAT(
      to_text(simulation.check()),
      AllOf(HasSubstr("ab2 = 0.5 ab"), HasSubstr("Nothing is redundant, and the motions are the same, without ab2."),
            HasSubstr("18: 15 of all joints and 3 others"), HasSubstr("1 = 18 velocities of 3 bodies − rank 17")));
}

const char* const twin_rods = R"toml(
dimension = 2
gravity = [0, -9.81]
[body.crank]
shape = "rod"
mass = 0.6
from = [0, 0]
to = [0.08, 0.12]
[body.rod_1]
shape = "rod"
mass = {}
from = [0.08, 0.12]
to = [0.5, 0.3]
[body.rocker]
shape = "rod"
mass = 0.8
from = [0.5, 0.3]
to = [0.45, 0]
{}
[joint]
main = {{ revolute = ["ground", "crank"], at = [0, 0] }}
pin_1 = {{ revolute = ["crank", "rod_1"], at = [0.08, 0.12] }}
end_1 = {{ revolute = ["rod_1", "rocker"], at = [0.5, 0.3] }}
side = {{ revolute = ["ground", "rocker"], at = [0.45, 0] }}
{}
[driver]
motor = {{ joint = "main", follows = "0.3*sin(4*t)" }}
[simulation]
until = 1.0
output = 0.1
rtol = 1e-10
atol = 1e-12
)toml";

/// What twin rods do to each other cancels in the crank and in the rocker: the bearings bear what they bear with one
/// rod of twice the mass, over the whole run.
TEST(OneCertificate, TwinRods) {
  Simulation twins(load_text(fmt::format(fmt::runtime(twin_rods), 0.4, R"toml([body.rod_2]
shape = "rod"
mass = 0.4
from = [0.08, 0.12]
to = [0.5, 0.3]
)toml",
                                         R"toml(
pin_2 = { revolute = ["crank", "rod_2"], at = [0.08, 0.12] }
end_2 = { revolute = ["rod_2", "rocker"], at = [0.5, 0.3] }
)toml"),
                             "twins.toml"));
  Simulation one(load_text(fmt::format(fmt::runtime(twin_rods), 0.8, "", ""), "one.toml"));
  const Motion motion = twins.run(), expected = one.run();
  ASSERT_EQ(motion.size(), expected.size());
  for (const char* channel : {"main.force.x", "main.force.y", "main.torque", "side.force.x", "side.force.y"}) {
    ASSERT_TRUE(has(motion, channel)) << channel;
    for (std::size_t i = 0; i < motion.size(); ++i)
      EXPECT_NEAR(motion[channel][i], expected[channel][i], 1e-7) << channel;  // rtol 1e-10 on forces of 10 to 100 N
  }
  for (const char* pin : {"pin_1", "pin_2", "end_1", "end_2"}) EXPECT_FALSE(has(motion, std::string(pin) + ".force.x"));
  const std::string note = text::omitted_note(motion);
  EXPECT_THAT(note, AllOf(HasSubstr("force.x and force.y of "), Not(HasSubstr("main")), Not(HasSubstr("side"))));
}

const char* const flat_linkage = R"toml(
gravity = [0, 0, -9.81]
[body.crank]
shape = "rod"
mass = 0.5
from = [0, 0, 0]
to = [0.05, 0, 0.08]
[body.rod]
shape = "rod"
mass = 0.7
from = [0.05, 0, 0.08]
to = [0.3, 0, 0]
[body.piston]
shape = "box"
size = [0.06, 0.05, 0.05]
mass = 0.6
position = [0.3, 0, 0]
[joint]
main = { revolute = ["ground", "crank"], at = [0, 0, 0], axis = [0, 1, 0], speed = 20 }
big = { revolute = ["crank", "rod"], at = [0.05, 0, 0.08], axis = [0, 1, 0] }
small = { revolute = ["rod", "piston"], at = [0.3, 0, 0], axis = [0, 1, 0] }
bore = { prismatic = ["ground", "piston"], at = [0.3, 0, 0], axis = [1, 0, 0] }
[simulation]
until = 0.1
)toml";

/// In the plane all forces are known; across it none is. The note says just that, and check says what would help.
TEST(OneCertificate, FlatLinkageOfJointsInSpace) {
  Simulation simulation(load_text(flat_linkage, "flat.toml"));
  const Motion motion = simulation.run();
  for (const char* joint : {"main", "big", "small", "bore"}) {
    const std::string name = joint;
    EXPECT_TRUE(has(motion, name + ".force.x") && has(motion, name + ".force.z")) << name;
    EXPECT_FALSE(has(motion, name + ".force.y") || has(motion, name + ".torque.x") || has(motion, name + ".torque.z"))
        << name;
  }
  EXPECT_TRUE(has(motion, "bore.torque.y"));
  EXPECT_THAT(text::omitted_note(motion), HasSubstr("force.y, torque.x and torque.z of main, bore, big and small"));
  const std::string text = to_text(simulation.check());
  EXPECT_THAT(text, AllOf(HasSubstr("1 = 18 velocities of 3 bodies − rank 17"),
                          HasSubstr("Every body moves in a plane with the normal (0, 1, 0)"),
                          HasSubstr("the forces in this plane are unique"), HasSubstr("Nothing is redundant")));
  const std::optional<Remedy>& remedy = simulation.check().data().remedy;
  ASSERT_TRUE(remedy.has_value());
  for (const Remedy::Change& change : remedy->changes) EXPECT_TRUE(change.type.has_value()) << change.name;
}

/// Least norm over all joints: the same shares of the redundant constraints, whichever joint closes the loop.
TEST(OneCertificate, LeastNormDoesNotDependOnTheTree) {
  const auto forces = [](const std::string& closed) {
    Model model = load_text(flat_linkage, "flat.toml");
    for (Joint& joint : model.mechanism.joints) {
      joint.loop = joint.name == closed;
      joint.speed.clear();
    }
    Simulation simulation(model);
    const Motion motion = simulation.run({.reactions = Reactions::min_norm});
    std::vector<double> values;
    for (const char* joint : {"main", "big", "small", "bore"})
      for (const char* part : {".force.y (min-norm)", ".torque.x (min-norm)", ".torque.z (min-norm)", ".force.x"}) {
        EXPECT_TRUE(has(motion, std::string(joint) + part)) << joint << part;
        values.push_back(first(motion, std::string(joint) + part));
      }
    return values;
  };
  const std::vector<double> expected = forces("big");
  for (const char* closed : {"main", "small", "bore"}) {
    const std::vector<double> values = forces(closed);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], force_tolerance) << closed << i;
  }
}

/// The plane of the linkage turns: along the axes of the world its forces are lost, along those of the joints they are
/// not.
TEST(OneCertificate, LinkageOnATurntable) {
  const std::string model = R"toml(
gravity = [0, 0, -9.81]
[body.table]
shape = "cylinder"
radius = 0.5
mass = 8
from = [0, 0, -0.02]
to = [0, 0, 0]
[body.crank]
shape = "rod"
mass = 0.4
from = [-0.2, 0, 0]
to = [-0.25, 0, 0.15]
[body.coupler]
shape = "rod"
mass = 0.8
from = [-0.25, 0, 0.15]
to = [0.25, 0, 0.35]
[body.rocker]
shape = "rod"
mass = 0.6
from = [0.25, 0, 0.35]
to = [0.2, 0, 0]
[joint]
spindle = { revolute = ["ground", "table"], at = [0, 0, 0], axis = [0, 0, 1] }
low_1 = { revolute = ["table", "crank"], at = [-0.2, 0, 0], axis = [0, 1, 0] }
up_1 = { revolute = ["crank", "coupler"], at = [-0.25, 0, 0.15], axis = [0, 1, 0] }
up_2 = { revolute = ["coupler", "rocker"], at = [0.25, 0, 0.35], axis = [0, 1, 0] }
low_2 = { revolute = ["table", "rocker"], at = [0.2, 0, 0], axis = [0, 1, 0] }
[driver]
turn = { joint = "spindle", follows = "2*t" }
crank_drive = { joint = "low_1", follows = "0.3*sin(3*t)" }
[simulation]
until = 0.5
)toml";
  Simulation in_world(load_text(model, "turntable.toml"));
  const Motion world = in_world.run();
  EXPECT_TRUE(has(world, "low_1.force.z"));
  EXPECT_FALSE(has(world, "low_1.force.x"));
  EXPECT_THAT(text::omitted_note(world),
              AllOf(HasSubstr("reaction_frame = \"joint\" gives force.x, force.y and torque.z of low_1"),
                    Not(HasSubstr("\"body\""))));
  Simulation in_joints(load_text("reaction_frame = \"joint\"\n" + model, "turntable.toml"));
  const Motion joints = in_joints.run();
  for (const char* pin : {"low_1", "up_1", "up_2", "low_2"}) {
    const std::string name = pin;
    EXPECT_TRUE(has(joints, name + ".force.x") && has(joints, name + ".force.y")) << name;
    EXPECT_FALSE(has(joints, name + ".force.z")) << name;
  }
}

}  // namespace
}  // namespace maggi::test
