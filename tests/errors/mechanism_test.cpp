// Typical mistakes in a mechanism and exactly what their author is told: place, cause, what would help.
#include <gtest/gtest.h>

#include <string>

#include "maggi/io/model_file.hpp"
#include "maggi/system/make_system.hpp"

namespace maggi {
namespace {

struct Mistake {
  const char* name;
  const char* text;  ///< after two bodies, "arm" and "tip", line 1 to 8
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

const std::string bodies =
    "[body.arm]\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n"
    "[body.tip]\nmass = 1\ninertia = [1, 1, 1]\nposition = [2, 0, 0]\n";

class MechanismMistake : public testing::TestWithParam<Mistake> {};

TEST_P(MechanismMistake, IsExplained) {
  try {
    make_system(parse_model(bodies + GetParam().text, "model.toml"));
    FAIL() << "no error for:\n" << GetParam().text;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
    EXPECT_EQ(error.code(), Errc::model);
  }
}

const Mistake mistakes[] = {
    {"ZeroAxis", "[joint]\npin = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 0] }\n",
     "model.toml:10:62: the axis of \"pin\" is zero (a direction, of any length: [0, 0, 1])"},
    {"NoAxis", "[joint]\npin = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0] }\n",
     "model.toml:10:1: \"pin\" has no axis (add axis = [x, y, z])"},
    {"NoPlace", "[joint]\npin = { spherical = [\"ground\", \"arm\"] }\n",
     "model.toml:10:1: \"pin\" has no at (add at = [x, y, z])"},
    {"UnknownBody", "[joint]\npin = { spherical = [\"ground\", \"amr\"], at = [0, 0, 0] }\n",
     "model.toml:10:32: no body is named \"amr\" (did you mean \"arm\"?)"},
    {"ToItself", "[joint]\npin = { spherical = [\"arm\", \"arm\"], at = [0, 0, 0] }\n",
     "model.toml:10:29: joint \"pin\" joins \"arm\" to itself (name two different bodies, or a body and \"ground\")"},
    {"UnknownKind", "[joint]\npin = { revolut = [\"ground\", \"arm\"], at = [0, 0, 0] }\n",
     "model.toml:10:9: unknown key \"revolut\" in pin (did you mean \"revolute\"?)"},
    {"NoKind", "[joint]\npin = { at = [0, 0, 0] }\n",
     "model.toml:10:1: pin does not say what kind of joint it is (write pin = { revolute = [\"ground\", \"arm\"], at = "
     "[0, 0, 0], axis = [0, 0, 1] })"},
    {"TwoKinds",
     "[joint]\npin = { spherical = [\"ground\", \"arm\"], fixed = [\"ground\", \"arm\"], at = [0, 0, 0] }\n",
     "model.toml:10:40: pin is spherical and fixed (a joint is of one kind: remove one of them)"},
    {"ThreeBodies", "[joint]\npin = { spherical = [\"ground\", \"arm\", \"tip\"], at = [0, 0, 0] }\n",
     "model.toml:10:21: pin.spherical names 3 bodies, expected 2 (write spherical = [\"ground\", \"arm\"])"},
    {"AxisOfABall", "[joint]\npin = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:10:63: joint \"pin\" is spherical and has no axis (remove it)"},
    {"TwoNumbers", "[joint]\npin = { spherical = [\"ground\", \"arm\"], at = [0, 0] }\n",
     "model.toml:10:45: at of \"pin\" has 2 numbers, expected 3 (write [x, y, z]; a model in the plane says dimension "
     "= "
     "2)"},
    {"SkewAxes",
     "[joint]\npin = { universal = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], second_axis = [0, 1, 1] "
     "}\n",
     "model.toml:10:88: the axes of the universal joint \"pin\" are at 45 degrees (they are normal to each other)"},
    {"NoPitch", "[joint]\npin = { screw = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:10:1: the screw \"pin\" has no pitch (add pitch = ... in m per radian)"},
    {"NegativeMass", "[body.x]\nmass = -2\ninertia = [1, 1, 1]\nposition = [0, 0, 0]\n",
     "model.toml:10:8: the mass of \"x\" is -2 (it cannot be negative)"},
    {"NoInertia", "[body.x]\nmass = 2\nposition = [0, 0, 0]\n",
     "model.toml:9:7: \"x\" has no inertia (write inertia = ..., or shape = \"point\" for a point mass)"},
    {"ImpossibleInertia", "[body.x]\nmass = 2\ninertia = [1, 1, 3]\nposition = [0, 0, 0]\n",
     "model.toml:11:12: no body has the inertia of \"x\": 3 about one axis is more than 1 + 1 about the two others "
     "(check "
     "the numbers; they are about the mass centre)"},
    {"UnknownShape", "[body.x]\nmass = 2\nshape = \"spher\"\nposition = [0, 0, 0]\n",
     "model.toml:11:9: no shape is named \"spher\" (did you mean \"sphere\"?)"},
    {"NoRadius", "[body.x]\nmass = 2\nshape = \"sphere\"\nposition = [0, 0, 0]\n",
     "model.toml:11:9: \"x\" is a sphere and has no radius (add radius = ...)"},
    {"NameTwice", "[joint]\narm = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0] }\n",
     "model.toml:10:1: the name \"arm\" is already taken at model.toml:1:7 (every name means one thing: choose another "
     "one)"},
    {"Ground", "[body.ground]\nmass = 2\ninertia = [1, 1, 1]\nposition = [0, 0, 0]\n",
     "model.toml:9:7: \"ground\" cannot be the name of a body (it is what stands still)"},
    {"WeightlessFreedom",
     "[body.x]\nmass = 1\nshape = \"point\"\nposition = [0, 0, 0]\n"
     "[joint]\npin = { revolute = [\"ground\", \"x\"], at = [0, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:14:1: nothing resists the motion pin.angle': what it moves has no inertia about its axis (give the "
     "body "
     "a mass and an inertia, or fix it)"},
    {"StartOfALoop",
     "[joint]\npin = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], loop = true, start = 1 }\n",
     "model.toml:10:86: a start along \"pin\" is not possible: it closes a loop (let another joint close it: write "
     "loop = "
     "true there)"},
    {"UnknownCoordinate",
     "[joint]\npin = { cylindrical = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], speed = { angel = 1 } "
     "}\n",
     "model.toml:10:86: \"pin\" has no coordinate \"angel\" (did you mean \"angle\"?)"},
    {"WhichCoordinate",
     "[joint]\npin = { cylindrical = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], speed = 1 }\n",
     "model.toml:10:76: \"pin\" has 2 coordinates (say which: distance and angle)"},
    {"ForceOnNothing",
     "[force]\nmotor = { joint = \"pn\", torque = 1 }\n[joint]\n"
     "pin = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:10:19: no joint is named \"pn\" (did you mean \"pin\"?)"},
    {"SpringWithoutLength",
     "[force]\ns = { spring = [\"ground\", \"arm\"], from = [0, 0, 0], to = [0, 0, 0], stiffness = 1 }\n",
     "model.toml:10:58: the ends of \"s\" coincide (its force would have no direction)"},
    {"FormulasBeside", "[energy]\nkinetic = \"x'^2\"\n",
     "model.toml:9:2: [energy] cannot stand beside bodies and joints (a mechanism has its coordinates, energies and "
     "constraints from its joints: remove one of them)"},
};

INSTANTIATE_TEST_SUITE_P(Mechanism, MechanismMistake, testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

}  // namespace
}  // namespace maggi
