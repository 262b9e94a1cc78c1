// Mechanisms that cannot be put together, or cannot move as they are told: who is in the way, and by how much.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "dynamics/dynamics.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "support/built_model.hpp"
#include "system/make_system.hpp"

namespace maggi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void find_start(const Model& model) {
  const auto system = make_system(model);
  Dynamics dynamics(*system);
  find_initial_conditions(dynamics, system->start());
}

/// By the file, and as much by the same model without one.
std::string what_is_said(const std::string& toml) {
  expect_same_fault_when_built(toml, find_start);
  try {
    find_start(parse_model(toml, "model.toml"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::numerics);
    return error.what();
  }
  ADD_FAILURE() << "no error for:\n" << toml;
  return "";
}

/// What is left of a condition where it is closest to being met, in its unit.
double left(const std::string& message, const std::string& name, const std::string& unit) {
  std::smatch found;
  const std::regex gap("the closest leaves " + name + R"( at (-?[0-9.e+-]+) )" + unit);
  EXPECT_TRUE(std::regex_search(message, found, gap)) << message;
  return found.empty() ? 0.0 : std::stod(found[1]);
}

/// Crank of 0.5 m on the ground at 0, rocker of 0.5 m on the ground at 2 m; line 12 and on: joints.
const std::string cranks = R"toml(dimension = 2
[body.crank]
shape = "rod"
mass = 1
from = [0, 0]
to = [0, 0.5]
[body.rocker]
shape = "rod"
mass = 1
from = [2, 0]
to = [2, 0.5]
[joint]
left = { revolute = ["ground", "crank"], at = [0, 0] }
right = { revolute = ["ground", "rocker"], at = [2, 0] }
)toml";

TEST(Assembly, ALoopThatCannotCloseIsNamedWithItsGap) {
  // tips are at least 1 m and at most 3 m apart
  const std::string short_rod = what_is_said(
      cranks + "rod = { distance = [\"crank\", \"rocker\"], at = [0, 0.5], to = [2, 0.5], length = 0.8 }\n");
  EXPECT_THAT(short_rod, AllOf(StartsWith("model.toml:15:1: \"rod.length\" cannot be satisfied"),
                               HasSubstr("left.angle"), HasSubstr("right.angle")));
  EXPECT_NEAR(left(short_rod, "rod.length", "m"), 0.2, 0.002);  // three digits are printed
  const std::string long_rod = what_is_said(
      cranks + "rod = { distance = [\"crank\", \"rocker\"], at = [0, 0.5], to = [2, 0.5], length = 3.1 }\n");
  EXPECT_NEAR(left(long_rod, "rod.length", "m"), -0.1, 0.001);
}

/// A lamp on a ball, and an arm: values given behind a quaternion have their own names, and a rotation has one, too.
TEST(Assembly, ValuesBesideARotationAreNamed) {
  const std::string lamp = R"toml([body.lamp]
mass = 1
inertia = [1, 1, 1]
position = [1, 0, 0]
[body.arm]
mass = 1
inertia = [1, 1, 1]
position = [3, 0, 0]
[joint]
)toml";
  EXPECT_THAT(what_is_said(lamp + R"toml(ball = { spherical = ["ground", "lamp"], at = [0, 0, 0] }
hinge = { revolute = ["ground", "arm"], at = [2, 0, 0], axis = [0, 0, 1], start = 0.5 }
rod = { distance = ["ground", "arm"], at = [3, 1, 0], to = [3, 0, 0] }
)toml"),
              StartsWith("model.toml:12:1: \"rod.length\" and hinge.angle = 0.5 contradict each other"));
  EXPECT_THAT(
      what_is_said(lamp + R"toml(ball = { spherical = ["ground", "lamp"], at = [0, 0, 0], start = { qw = 2, qz = 1 } }
hinge = { revolute = ["ground", "arm"], at = [2, 0, 0], axis = [0, 0, 1] }
rod = { distance = ["ground", "lamp"], at = [0, -1, 0], to = [1, 0, 0] }
)toml"),
      StartsWith(
          "model.toml:12:1: \"rod.length\", the rotation of \"ball\" about its y and the rotation of \"ball\" about "
          "its z contradict each other"));
}

TEST(Assembly, AStartThatTheLoopDoesNotReachIsNamed) {
  const std::string message = what_is_said(
      "dimension = 2\n[body.crank]\nshape = \"rod\"\nmass = 1\nfrom = [0, 0]\nto = [1, 0]\n"
      "[body.rod]\nshape = \"rod\"\nmass = 1\nfrom = [1, 0]\nto = [1.5, 0]\n[joint]\n"
      "pivot = { revolute = [\"ground\", \"crank\"], at = [0, 0], start = 1.0 }\n"
      "pin = { revolute = [\"crank\", \"rod\"], at = [1, 0] }\n"
      "guide = { point_on_line = [\"ground\", \"rod\"], at = [1.5, 0], axis = [1, 0] }\n");
  EXPECT_THAT(message, AllOf(HasSubstr("\"guide.normal\""), HasSubstr("pivot.angle = 1"), HasSubstr("contradict")));
  EXPECT_NEAR(left(message, "guide.normal", "m"), std::sin(1.0) - 0.5, 0.001);
}

TEST(Assembly, TwoDriversOnOneFreedomAreNamed) {
  const std::string drivers = cranks + "[driver]\nslow = { joint = \"left\", follows = \"0.2*t\" }\n";
  // other speeds; another place
  EXPECT_THAT(
      what_is_said(drivers + "fast = { joint = \"left\", follows = \"0.3*t\" }\n"),
      AllOf(StartsWith("model.toml:16:1: in the reference configuration, \"slow\" and \"fast\" ask for velocities "
                       "that contradict each other; without any one of them there is a solution"),
            HasSubstr("rad/s")));
  const std::string ahead = what_is_said(drivers + "ahead = { joint = \"left\", follows = \"0.1 + 0.2*t\" }\n");
  EXPECT_THAT(ahead, StartsWith("model.toml:16:1: \"slow\" and \"ahead\" contradict each other"));
  EXPECT_NEAR(std::abs(left(ahead, "(?:slow|ahead)", "rad")), 0.1, 1e-4);
}

/// The same freedom by way of a loop: a driven crank, and a driven rocker.
TEST(Assembly, TwoDriversOfOneLoopAreNamed) {
  const std::string message =
      what_is_said(cranks + R"toml(rod = { distance = ["crank", "rocker"], at = [0, 0.5], to = [2, 0.5] }
[driver]
one = { joint = "left", follows = "0.2*t" }
other = { joint = "right", follows = "0.3*t" }
)toml");
  EXPECT_THAT(message, AllOf(HasSubstr("\"rod.length\""), HasSubstr("\"one\""), HasSubstr("\"other\""),
                             HasSubstr("contradict each other")));
}

/// A hinge that is skew to the three others blocks a driven four-bar.
TEST(Assembly, AJointThatLocksIsToldFromAFormulaThatIsTooMuch) {
  const std::string message = what_is_said(R"toml([body.crank]
shape = "rod"
mass = 1
from = [0, 0, 0]
to = [0.3, 0, 0]
[body.coupler]
shape = "rod"
mass = 1
from = [0.3, 0, 0]
to = [1, 0.6, 0]
[body.rocker]
shape = "rod"
mass = 1
from = [1, 0, 0]
to = [1, 0.6, 0]
[joint]
a = { revolute = ["ground", "crank"], at = [0, 0, 0], axis = [0, 0, 1] }
b = { revolute = ["crank", "coupler"], at = [0.3, 0, 0], axis = [0, 0, 1] }
c = { revolute = ["coupler", "rocker"], at = [1, 0.6, 0], axis = [0, 0.1, 1] }
d = { revolute = ["ground", "rocker"], at = [1, 0, 0], axis = [0, 0, 1] }
[driver]
motor = { joint = "a", follows = "t" }
)toml");
  EXPECT_THAT(message, AllOf(StartsWith("model.toml:19:1: constraint \"c.turn_"), HasSubstr("contradicts"),
                             HasSubstr("\"c\" locks what the others would let move: check places and axes")));
}

}  // namespace
}  // namespace maggi
