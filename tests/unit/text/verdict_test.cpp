// A model in one sentence: mobility, what drives it, what idles, what is redundant, what locks.
#include "text/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maggi/error.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"

namespace maggi::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string verdict_of(const std::string& text) {
  Simulation simulation(load_text(text, "model.toml"));
  return text::verdict(simulation.check());
}

/// Two rods in the plane, the second one on the first.
const std::string double_pendulum = R"toml(
dimension = 2
gravity = [0, -9.81]
[body.upper]
shape = "rod"
mass = 1
from = [0, 0]
to = [1, 0]
[body.lower]
shape = "rod"
mass = 1
from = [1, 0]
to = [1, -1]
[joint]
top = { revolute = ["ground", "upper"], at = [0, 0] }
mid = { revolute = ["upper", "lower"], at = [1, 0] }
)toml";

TEST(Verdict, NamesTheDegreesOfFreedom) {
  EXPECT_EQ(verdict_of(double_pendulum), "2 degrees of freedom (top.angle and mid.angle); no constraint is redundant");
}

TEST(Verdict, NamesWhatDrives) {
  const std::string motor = "[driver.motor]\njoint = \"top\"\nfollows = \"0.3*t\"\n";
  EXPECT_EQ(verdict_of(double_pendulum + motor),
            "1 degree of freedom (mid.angle), driven by motor; no constraint is redundant");
  const std::string both = motor + "[driver.knee]\njoint = \"mid\"\nfollows = \"0.3*t\"\n";
  EXPECT_EQ(verdict_of(double_pendulum + both),
            "no degree of freedom is left: motor and knee prescribe the motion; no constraint is redundant");
}

TEST(Verdict, NamesWhatIsRedundant) {
  const std::string twins =
      "[driver.motor]\njoint = \"top\"\nfollows = \"0.3*t\"\n[driver.twin]\njoint = \"top\"\nfollows = \"0.3*t\"\n";
  EXPECT_THAT(verdict_of(double_pendulum + twins), HasSubstr("1 constraint is redundant (twin)"));
}

TEST(Verdict, SaysThatItIsLocked) {
  const std::string held = "held = { revolute = [\"ground\", \"lower\"], at = [0.4, -1] }\n";
  EXPECT_EQ(verdict_of(double_pendulum + held), "it is locked: no degree of freedom; no constraint is redundant");
}

/// A parallelogram, flat: the coupler could go on either way.
TEST(Verdict, KnowsASingularStart) {
  EXPECT_THAT(verdict_of(R"toml(
dimension = 2
[body.left]
shape = "rod"
mass = 1
from = [0, 0]
to = [1, 0]
[body.right]
shape = "rod"
mass = 1
from = [2, 0]
to = [3, 0]
[body.bar]
shape = "rod"
mass = 1
from = [1, 0]
to = [3, 0]
[joint]
a = { revolute = ["ground", "left"], at = [0, 0] }
b = { revolute = ["ground", "right"], at = [2, 0] }
c = { revolute = ["left", "bar"], at = [1, 0] }
d = { revolute = ["right", "bar"], at = [3, 0] }
)toml"),
              AllOf(HasSubstr("1 constraint is redundant"), HasSubstr("only in this configuration"),
                    HasSubstr("the start is a singular configuration")));
}

/// A rod between two balls spins about itself; a door on two hinges is no idle motion.
TEST(Verdict, TellsWhatIdlesFromWhatMoves) {
  const std::string rod = R"toml(
[body.arm]
shape = "cylinder"
radius = 0.02
mass = 1
from = [0, 0, 0]
to = [1, 0, 0]
[body.link]
shape = "cylinder"
radius = 0.02
mass = 1
from = [1, 0, 0]
to = [1, 1, 0]
[body.rocker]
shape = "cylinder"
radius = 0.02
mass = 1
from = [1, 1, 0]
to = [0, 1.2, 0]
[joint]
a = { revolute = ["ground", "arm"], at = [0, 0, 0], axis = [0, 0, 1] }
b = { spherical = ["arm", "link"], at = [1, 0, 0] }
c = { spherical = ["link", "rocker"], at = [1, 1, 0] }
d = { revolute = ["ground", "rocker"], at = [0, 1.2, 0], axis = [0, 0, 1] }
)toml";
  EXPECT_THAT(verdict_of(rod), AllOf(HasSubstr("2 degrees of freedom"), HasSubstr("idles and moves nothing else")));
  const std::string door = R"toml(
[body.door]
mass = 20
inertia = [1, 1, 1.5]
position = [0.45, 0, 1]
[joint]
low = { revolute = ["ground", "door"], at = [0, 0, 0], axis = [0, 0, 1] }
high = { revolute = ["ground", "door"], at = [0, 0, 2], axis = [0, 0, 1] }
)toml";
  EXPECT_THAT(verdict_of(door), Not(HasSubstr("idle")));
}

TEST(Verdict, OfARunDoesNotNameCoordinates) {
  Simulation simulation(load_text(double_pendulum + "[simulation]\nuntil = 0.01\n", "model.toml"));
  EXPECT_EQ(text::verdict(simulation.run()), "2 degrees of freedom; no constraint is redundant");
}

/// A force law over the multiplier of a redundant hinge, which is not unique. The certificate that explains the error
/// is shown.
TEST(CheckText, ShowsTheCertificateWithoutFriction) {
  const Model gate = load_text(R"toml(
gravity = [0, 0, -9.81]
[body.gate]
mass = 20
inertia = [1, 1, 1.5]
position = [0.45, 0, 1]
[joint]
low = { revolute = ["ground", "gate"], at = [0, 0, 0], axis = [0, 0, 1] }
high = { revolute = ["ground", "gate"], at = [0, 0, 2], axis = [0, 0, 1] }
[law]
drag = { along = { "low.angle" = 1 }, law = "force.drag = -0.1*abs(lambda.high.z)" }
)toml",
                               "gate.toml");
  EXPECT_THROW(Simulation(gate).check(), Error);
  EXPECT_THAT(outline_text(gate), AllOf(HasSubstr("Without its friction and force laws, check says:"),
                                        HasSubstr("5 constraints are redundant"), HasSubstr("high")));
}

}  // namespace
}  // namespace maggi::test
