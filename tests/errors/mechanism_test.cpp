// Typical mistakes in a mechanism and exactly what their author is told: place, cause, what would help.
#include <gtest/gtest.h>

#include <string>

#include "io/toml/model_file.hpp"
#include "support/built_model.hpp"
#include "system/make_system.hpp"

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

TEST_P(MechanismMistake, IsExplainedInAModelThatIsBuilt) { expect_same_fault_when_built(bodies + GetParam().text); }

const Mistake mistakes[] = {
    {"ZeroAxis", "[joint]\npin = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 0] }\n",
     "model.toml:10:62: the axis of \"pin\" is zero (a direction, of any length: [0, 0, 1])"},
    {"NoAxis", "[joint]\npin = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0] }\n",
     "model.toml:10:1: \"pin\" has no axis (add axis = [x, y, z])"},
    {"MassInMetres", "[body.a]\nshape = \"point\"\nmass = \"2 m\"\nposition = [0, 0, 0]\n",
     "model.toml:11:9: a.mass is given in \"m\", but it is in kg (write a unit of this kind)"},
    {"AngleInMetres",
     "[joint]\npin = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], start = { value = 3, unit = "
     "\"mm\" } }\n",
     "model.toml:10:91: pin.start is given in \"mm\", but it is in rad (write a unit of this kind)"},
    {"PlaceInKilograms", "[joint]\npin = { spherical = [\"ground\", \"arm\"], at = [\"3 mm\", \"1 kg\", 0] }\n",
     "model.toml:10:55: pin.at is given in \"kg\", but it is in m (write a unit of this kind)"},
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
    {"RotationAsAVelocity",
     "[joint]\npin = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0], guess = { wx = 0.1 } }\n",
     "model.toml:10:66: \"wx\" is an angular velocity; the rotation of \"pin\" is a quaternion (write { qw = 0.8, qz = "
     "0.6 "
     "}: of any length, and what is not named is 0)"},
    {"RotationOfNoLength",
     "[joint]\npin = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0], start = { qw = 0, qx = 0 } }\n",
     "model.toml:10:74: the quaternion given for \"pin\" is zero and defines no rotation (in the reference "
     "configuration it is { qw = 1 }; what is not "
     "named "
     "is 0)"},
    {"RotationGivenAndGuessed",
     "[joint]\npin = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0], start = { qw = 1 }, guess = { qx = 0.1, qw = "
     "1 } "
     "}\n",
     "model.toml:10:1: pin has both start and guess (the first is kept as it is, the second is where the search "
     "begins)"},
    {"TwoNumbers", "[joint]\npin = { spherical = [\"ground\", \"arm\"], at = [0, 0] }\n",
     "model.toml:10:45: at of \"pin\" has 2 numbers, expected 3 (write [x, y, z]; a model in the plane says dimension "
     "= "
     "2)"},
    {"SkewAxes",
     "[joint]\npin = { universal = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], second_axis = [0, 1, 1] "
     "}\n",
     "model.toml:10:88: the axes of the universal joint \"pin\" are at 45 degrees (they are normal to each other)"},
    {"NoPitch", "[joint]\npin = { screw = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:10:1: screw joint \"pin\" needs a pitch (add pitch = ... in m per radian)"},
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
     "model.toml:9:7: \"ground\" is reserved for the fixed frame and cannot name a body (choose another name)"},
    {"WeightlessFreedom",
     "[body.x]\nmass = 1\nshape = \"point\"\nposition = [0, 0, 0]\n"
     "[joint]\npin = { revolute = [\"ground\", \"x\"], at = [0, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:14:1: nothing resists the motion pin.angle': what it moves has no inertia about its axis (give the "
     "body "
     "a mass and an inertia, or fix it)"},
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
    {"JointByAnotherName", "[joint]\npin = { hinge = [\"ground\", \"arm\"], at = [0, 0, 0] }\n",
     "model.toml:10:9: no kind of joint is named \"hinge\" (here it is called \"revolute\")"},
    {"JointWithAType", "[joint]\npin = { type = \"revolute\", at = [0, 0, 0] }\n",
     "model.toml:10:9: pin has a type as a text (the kind of a joint is a key, with its two bodies: write pin = { "
     "revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] })"},
    {"EnergyInAFormula", "[output]\ne = \"energy.total\"\n",
     "model.toml:10:6: \"energy.total\" is no quantity of the mechanism (energies and powers are channels of the "
     "result; formulas use joints, bodies and springs)"},
    {"FormulasBeside", "[energy]\nkinetic = \"x'^2\"\n",
     "model.toml:9:2: [energy] cannot stand beside bodies and joints (a mechanism has its coordinates, energies, "
     "reactions and picture from its bodies and joints: remove one of them)"},
};

INSTANTIATE_TEST_SUITE_P(Mechanism, MechanismMistake, testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

// --- what formulas, drivers, couplings, limits and forces say about a mechanism

const std::string two_hinges =
    "[body.arm]\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\nmarkers = { tip = [2, 0, 0] }\n"
    "[body.tip]\nmass = 1\ninertia = [1, 1, 1]\nposition = [2, 0, 0]\n";

class FormulaMistake : public testing::TestWithParam<Mistake> {};

TEST_P(FormulaMistake, IsExplained) {
  try {
    make_system(parse_model(two_hinges + GetParam().text, "model.toml"));
    FAIL() << "no error for:\n" << GetParam().text;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
    EXPECT_EQ(error.code(), Errc::model);
  }
}

TEST_P(FormulaMistake, IsExplainedInAModelThatIsBuilt) { expect_same_fault_when_built(two_hinges + GetParam().text); }

const Mistake formula_mistakes[] = {
    {"FormulaMisspeltCoordinate",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[output]\na = \"2*hinge.angel\"\n",
     "model.toml:14:8: joint \"hinge\" has no coordinate \"angel\" (did you mean \"angle\"?)"},
    {"FormulaUnknownOwner",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[output]\na = \"2*hing.angle\"\n",
     "model.toml:14:8: no joint, body or spring is named \"hing\" (did you mean \"hinge\"?)"},
    {"FormulaMarker",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[output]\na = \"arm.tpi.x\"\n",
     "model.toml:14:6: body \"arm\" has no \"tpi.x\" (did you mean \"tip.x\"?)"},
    {"FormulaMarkerAxis",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[output]\na = \"arm.tip.w\"\n",
     "model.toml:14:6: body \"arm\" has no \"tip.w\" (did you mean \"tip.x\"?)"},
    {"FormulaVelocityInPosition",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[constraint]\nc = { position = \"hinge.angle' - 1\" }\n",
     "model.toml:14:19: position constraint \"c\" cannot contain the velocity hinge.angle' (a constraint on velocities "
     "is written velocity = \"...\")"},
    {"DriverNothing",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[driver]\nd = { follows = \"t\" }\n",
     "model.toml:14:1: d drives nothing (write d = { joint = \"crank\", follows = \"2*pi*t\" }, d = { marker = "
     "\"arm.tip\", follows = [\"...\", \"...\"] } or d = { distance = [\"ground\", \"arm\"], from = [...], to = [...], "
     "follows = \"...\" })"},
    {"DriverFollowsNothing",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[driver]\nd = { joint = \"hinge\" }\n",
     "model.toml:14:1: d follows nothing (write d = { joint = \"crank\", follows = \"2*pi*t\" }, d = { marker = "
     "\"arm.tip\", follows = [\"...\", \"...\"] } or d = { distance = [\"ground\", \"arm\"], from = [...], to = [...], "
     "follows = \"...\" })"},
    {"DriverUnknownJoint",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[driver]\nd = { joint = \"hinges\", follows = \"t\" }\n",
     "model.toml:14:15: no joint is named \"hinges\" (did you mean \"hinge\"?)"},
    {"DriverUnknownMarker",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[driver]\nd = { marker = \"arm.tap\", follows = [\"t\", "
     "\"t\", \"t\"] }\n",
     "model.toml:14:16: body \"arm\" has no \"tap.x\" (did you mean \"tip.x\"?)"},
    {"DriverMarkerTwo",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[driver]\nd = { marker = \"arm.tip\", follows = [\"t\", "
     "\"t\"] }\n",
     "model.toml:14:1: driver \"d\" follows 2 formulas, expected 3 (one for each axis)"},
    {"DriverOfMotion",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[driver]\nd = { joint = \"hinge\", follows = "
     "\"wrist.angle'\" }\n",
     "model.toml:14:35: position constraint \"d\" cannot contain the velocity wrist.angle' (a constraint on velocities "
     "is written velocity = \"...\")"},
    {"DriverParse",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[driver]\nd = { joint = \"hinge\", follows = \"2*pi*tt\" "
     "}\n",
     "model.toml:14:40: no variable or parameter is named \"tt\" (did you mean \"t\"?)"},
    {"CouplingTeeth",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[coupling]\ng = { gear = [\"hinge\", \"wrist\"] }\n",
     "model.toml:14:1: g needs two numbers of teeth (write g = { gear = [\"sun\", \"planet\"], teeth = [20, 40] }, g "
     "= { rack_and_pinion = [\"rack\", \"pinion\"], radius = 0.05 } or g = { sum = { \"a.angle\" = 1, \"b.angle\" = -2 "
     "} }; a ring with inner teeth has a negative number)"},
    {"CouplingTwice",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[coupling]\ng = { gear = [\"hinge\", \"hinge\"], teeth = "
     "[10, 20] }\n",
     "model.toml:14:24: coupling \"g\" has hinge twice (add them up)"},
    {"CouplingZero",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[coupling]\ng = { gear = [\"hinge\", \"wrist\"], teeth = "
     "[10, 0] }\n",
     "model.toml:14:47: the factor of wrist.angle in \"g\" is zero (then it has no part in the coupling)"},
    {"CouplingNothing",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[coupling]\ng = { ratio = 2 }\n",
     "model.toml:14:7: unknown key \"ratio\" in g (valid here: gear, rack_and_pinion, teeth, radius and sum)"},
    {"CouplingTeethWithoutGear",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[coupling]\ng = { sum = { hinge = 1, wrist = 2 }, teeth "
     "= "
     "[1, 2, 3] }\n",
     "model.toml:14:1: g has teeth, but no gear (write g = { gear = [\"sun\", \"planet\"], teeth = [20, 40] }, g "
     "= { rack_and_pinion = [\"rack\", \"pinion\"], radius = 0.05 } or g = { sum = { \"a.angle\" = 1, \"b.angle\" = -2 "
     "} })"},
    {"ForceOfTwoKinds",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[force]\nf = { on = \"arm\", joint = \"hinge\", torque = "
     "1 }\n",
     "model.toml:14:1: f is both \"joint\" and \"on\" (give each its own name)"},
    {"ForceMisspelt",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[force]\nf = { sprng = [\"ground\", \"arm\"] }\n",
     "model.toml:14:7: unknown key \"sprng\" in f (did you mean \"spring\"?)"},
    {"ForceNoForce",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[force]\nf = { on = \"arm\" }\n",
     "model.toml:14:1: force \"f\" has neither a force nor a torque (add force = [...])"},
    {"ForceGround",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[force]\nf = { on = \"ground\", force = [1, 0, 0] }\n",
     "model.toml:14:12: force \"f\" acts on the ground, which it cannot move"},
    {"ForceComponents",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[force]\nf = { on = \"arm\", force = [1, 0] }\n",
     "model.toml:14:27: the force of \"f\" has 2 components, expected 3 (write one for each axis)"},
    {"ForceFrame",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[force]\nf = { on = \"arm\", force = [1, 0, 0], frame = "
     "\"joint\" }\n",
     "model.toml:14:46: no frame is named \"joint\" (valid here: world and body)"},
    {"ForceFormula",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[force]\nf = { on = \"arm\", force = [1, "
     "\"hinge.angle*\", 0] }\n",
     "model.toml:14:44: the formula ends too early (a number, a name or \"(\" is missing)"},
    {"BushingNegative",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[force]\nf = { bushing = [\"arm\", \"tip\"], at = [0, 0, "
     "0], stiffness = [1, -1, 0] }\n",
     "model.toml:14:1: bushing \"f\" has a negative stiffness or damping"},
    {"LimitsOrder",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], limits = [1, -1] }\nwrist "
     "= { revolute = [\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:11:85: the limits of \"hinge.angle\" are 1 and -1 (write the smaller one first)"},
    {"LimitsNone",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], limits = { stiffness = 3 "
     "} }\nwrist = { revolute = [\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:11:75: hinge.limits has neither a lower nor an upper end (write limits = [-1.0, 1.0], or { lower = "
     "-1.0, restitution = 0.5 })"},
    {"LimitsBoth",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], limits = { lower = -1, "
     "stiffness = 3, restitution = 1 } }\nwrist = { revolute = [\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] "
     "}\n",
     "model.toml:11:75: hinge.limits has a stiffness and a restitution (the first is of an elastic stop, the second of "
     "a rigid one)"},
    {"LimitsRest",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], limits = { lower = -1, "
     "restitution = 2 } }\nwrist = { revolute = [\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:11:112: the restitution of \"hinge.lower\" is 2 (0: nothing comes back from an impact, 1: all of the "
     "speed)"},
    {"FrictionRadius",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], friction = { coefficient "
     "= 0.3 } }\nwrist = { revolute = [\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:11:75: the friction of \"hinge\" has no radius (add radius = ..., that of the pin in m)"},
    {"FrictionOfNothing",
     "[joint]\nb = { fixed = [\"ground\", \"arm\"], at = [0, 0, 0], friction = { coefficient = 0.3, radius = 0.1 } }\n",
     "model.toml:11:50: joint \"b\" is fixed and cannot have friction (nothing in it rubs; write a [friction] over "
     "multipliers and speeds)"},
    {"FrictionOfABallWithoutRadius",
     "[joint]\nb = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0], friction = { coefficient = 0.3 } }\n",
     "model.toml:11:54: the friction of \"b\" has no radius (add radius = ..., that of the ball in m)"},
    {"FrictionOfASlideWithRadius",
     "[joint]\nb = { prismatic = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [1, 0, 0], friction = { coefficient = "
     "0.3, radius = 0.1 } }\n",
     "model.toml:11:72: the friction of \"b\" has a radius, but slides (remove it)"},
    {"FrictionAtNoRadius",
     "[joint]\nb = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0], friction = { coefficient = 0.3, radius = 0 } "
     "}\n",
     "model.toml:11:95: the radius of the friction of \"b\" is 0 (it must be positive)"},
    {"FrictionNone",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1], friction = { stiction = "
     "0.3 } }\nwrist = { revolute = [\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n",
     "model.toml:11:75: hinge.friction has no coefficient (write friction = { coefficient = 0.2, radius = 0.01 })"},
    {"RollingRadius", "[joint]\nw = { rolling = [\"ground\", \"arm\"], at = [1, 0, 0] }\n",
     "model.toml:11:1: rolling joint \"w\" needs a radius (add radius = ... in m)"},
    {"RollingFlat", "[joint]\nw = { rolling = [\"ground\", \"arm\"], at = [1, 0, 0], radius = 1, axis = [0, 0, 1] }\n",
     "model.toml:11:71: the disc of \"w\" lies flat: its axis is the normal (a disc rolls on its edge; without an axis "
     "it is a ball)"},
    {"RevoluteRadius",
     "[joint]\nw = { revolute = [\"ground\", \"arm\"], at = [1, 0, 0], radius = 1, axis = [0, 0, 1] }\n",
     "model.toml:11:62: joint \"w\" is revolute and has no radius (remove it)"},
    {"KnifeNoAxis", "[joint]\nw = { knife_edge = [\"ground\", \"arm\"], at = [1, 0, 0] }\n",
     "model.toml:11:1: \"w\" has no axis (add axis = [x, y, z])"},
    {"NameTwice",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[constraint]\nhinge = { position = \"wrist.angle\" }\n",
     "model.toml:11:1: the name \"hinge\" is already taken at model.toml:14:1 (every name means one thing: choose "
     "another one)"},
    {"StartReaction",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[start]\nreaction.hinge = 1\n",
     "model.toml:14:10: the reaction on a coordinate of a mechanism cannot be given at the start (give the multiplier "
     "of a row: lambda.pin.x)"},
    {"BallQuaternion", "[joint]\nb = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0] }\n[output]\na = \"b.qw\"\n",
     "model.toml:13:6: joint \"b\" has no coordinate \"qw\" (valid here: wx, wy and wz)"},
    {"ControlAlong",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[control]\nu = { along = { \"hinge.angl\" = 1 } }\n",
     "model.toml:14:17: joint \"hinge\" has no coordinate \"angl\" (did you mean \"angle\"?)"},
    {"EventName",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[event]\ne = { when = \"hinge.angle - 1\", switch_off = "
     "[\"wrist\"] }\n",
     "model.toml:14:47: event \"e\" switches \"wrist\", but no constraint has this name"},
    {"LambdaName",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[output]\na = \"lambda.hinge\"\n",
     "model.toml:14:6: no variable or parameter is named \"lambda.hinge\" (valid here: pi, t, tip.wz and tip.wz')"},
    {"Generalised",
     "[joint]\nhinge = { revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }\nwrist = { revolute = "
     "[\"arm\", \"tip\"], at = [2, 0, 0], axis = [0, 0, 1] }\n[generalised_force]\nx = 1\n",
     "model.toml:13:2: [generalised_force] cannot stand beside bodies and joints (write a [force] along a joint or on "
     "a body)"},
};

INSTANTIATE_TEST_SUITE_P(Mechanism, FormulaMistake, testing::ValuesIn(formula_mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

}  // namespace
}  // namespace maggi
