// Typical mistakes in a model file and exactly what their author is told: place, cause, what would help.
#include <gtest/gtest.h>

#include <string>

#include "integration/settings.hpp"
#include "io/toml/model_file.hpp"
#include "support/built_model.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {
namespace {

struct Mistake {
  const char* name;
  const char* text;
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

/// All that is done to a model before it is computed with.
void load(const Mistake& mistake) {
  const Model model = parse_model(mistake.text, "model.toml");
  const EquationSystem system(model);
  check_names(model);
}

class ModelFileMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ModelFileMistake, IsExplained) {
  try {
    load(GetParam());
    FAIL() << "no error for:\n" << GetParam().text;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
    EXPECT_EQ(error.code(), Errc::model);
  }
}

TEST_P(ModelFileMistake, IsExplainedInAModelThatIsBuilt) { expect_same_fault_when_built(GetParam().text); }

const Mistake syntax[] = {
    {"FormulaWithoutQuotes", "[energy]\nkinetic = m/2*x'^2\n",
     "model.toml:2:11: \"m/2*x'^2\" is neither a number nor a text in quotes (formulas and texts go in quotes: kinetic "
     "= \"m/2*x'^2\")"},
    {"FormulaThatBeginsWithANumber", "[parameters]\nk = 2*pi\n",
     "model.toml:2:6: \"2*pi\" is neither a number nor a text in quotes (formulas and texts go in quotes: k = "
     "\"2*pi\")"},
    {"FormulaWithoutQuotesInBraces", "[coordinates]\nx = { start = l/2, speed = 0 }\n",
     "model.toml:2:15: \"l/2\" is neither a number nor a text in quotes (formulas and texts go in quotes: start = "
     "\"l/2\")"},
    {"FormulaWithoutQuotesInAList", "[equations]\nmass = [[m]]\n",
     "model.toml:2:10: \"m\" is neither a number nor a text in quotes (formulas go in quotes: [\"m\", 0])"},
    {"PrintQuotes", "title = “Pendulum”\n",
     "model.toml:1:9: these quotes are for print, not for files (use the straight ones: \"...\")"},
    {"QuoteNotClosed", "title = \"Pendulum\n[energy]\n",
     "model.toml:1:18: the closing quote is missing in this line (a text over several lines goes between \"\"\" and "
     "\"\"\")"},
    {"TripleQuoteNotClosed", "[energy]\nkinetic = \"\"\"\nm/2*x'^2\n\n[constraint]\n",
     "model.toml:5:14: the file ends inside a text over several lines (close it with \"\"\")"},
    {"Backslash", "title = \"a\\b\\c\"\n",
     "model.toml:1:14: a backslash in a text has a special meaning (write \\\\ for a backslash, or use single quotes: "
     "'...')"},
    {"DecimalComma", "[parameters]\nm = 2,5\n",
     "model.toml:2:6: a number has a decimal point, not a comma (write 2.5)"},
    {"DecimalCommaInBraces", "[coordinates]\nx = { start = 0,3, speed = 1 }\n",
     "model.toml:2:18: a number has a decimal point, not a comma (write 0.3)"},
    {"UnitAfterNumber", "[parameters]\nm = 2.0 kg\n",
     "model.toml:2:9: \"kg\" after the number is not understood (a unit is written m = { value = 2.0, unit = \"kg\" }, "
     "a formula in quotes)"},
    {"NoDigitBeforeThePoint", "[parameters]\nm = .5\n",
     "model.toml:2:5: a number needs a digit before the point (write 0.5, not .5)"},
    {"NoDigitAfterThePoint", "[parameters]\nm = 5.\n",
     "model.toml:2:7: a number needs a digit after the point (write 5.0 or 5, not 5.)"},
    {"NumberTooLarge", "[parameters]\nm = 1e400\n",
     "model.toml:2:10: the number 1e400 is too large (beyond 18 digits write it with an exponent, as 1.5e20; the "
     "largest is 1.8e308)"},
    {"BracesOverLines", "[coordinates]\nx = { start = 1,\n      speed = 2 }\n",
     "model.toml:2:17: the closing } is missing in this line (braces end on the line where they begin; for more room "
     "write a section, as [constraint.guide])"},
    {"CommaMissing", "[coordinates]\nx = { start = 1 speed = 2 }\n",
     "model.toml:2:17: a comma is missing before \"speed\" (write { a = 1, b = 2 })"},
    {"CommaTooMany", "[coordinates]\nx = { start = 1, }\n",
     "model.toml:2:18: there is a comma before the closing } (remove the comma)"},
    {"CommaMissingInAList", "[equations]\nforce = [0 \"-m*g\"]\n",
     "model.toml:2:12: a comma is missing before \"\"-m*g\"\" (write [1, 2])"},
    {"Colon", "[energy]\nkinetic: \"m/2*x'^2\"\n",
     "model.toml:2:8: expected \"=\" after the name, here \":\" (write name = value)"},
    {"SpeedAsAName", "[coordinates]\nx' = 3\n",
     "model.toml:2:2: a name cannot contain \"'\" (the speed at the start is written x = { speed = ... })"},
    {"ValueMissing", "[parameters]\nm =\n",
     "model.toml:2:4: a value is missing after \"=\" (a line reads name = value)"},
    {"GivenTwice", "[parameters]\nm = 1\nm = 2\n", "model.toml:3:5: \"m\" is given twice (keep one of them)"},
    {"TableTwice", "[parameters]\nm = 1\n[energy]\n[parameters]\n",
     "model.toml:4:1: [parameters] is there twice (put all its lines under one [parameters])"},
    {"BracketNotClosed", "[parameters\nm = 1\n",
     "model.toml:1:12: the closing ] of the table name is missing (write [energy])"},
    {"CommentOfAnotherLanguage", "[parameters]\nm = 1  // mass\n",
     "model.toml:2:8: \"//\" does not begin a comment (comments begin with #)"},
    {"LineOfAnotherLanguage", "% a pendulum\n",
     "model.toml:1:1: a line cannot begin with \"%\" (comments begin with #)"},
    {"GreekName", "[parameters]\nω = 1\n",
     "model.toml:2:1: a line cannot begin with \"ω\" (it begins with a name of letters, digits and _, with a [table] "
     "or "
     "with a # comment)"},
};

const Mistake content[] = {
    {"Empty", "",
     "model.toml: the model has no [coordinates] (write [coordinates] and below it one line for each, as x = { start = "
     "0.0 })"},
    {"UnknownTable", "[constrains]\n", "model.toml:1:2: unknown table [constrains] (did you mean \"constraint\"?)"},
    {"UnknownTableFarOff", "[wheels]\n",
     "model.toml:1:2: unknown table [wheels] (valid here: title, dimension, gravity, reaction_frame, data_tolerance, "
     "repair, parameters, body, joint, force, coupling, driver, coordinates, define, local, energy, equations, "
     "generalised_force, "
     "constraint, law, friction, control, event, start, reaction, output, drawing and simulation)"},
    {"AmericanSpelling", "[generalized_force]\n",
     "model.toml:1:2: unknown table [generalized_force] (did you mean \"generalised_force\"?)"},
    {"WordOfAnotherProgram", "[simulation]\nt_end = 3\n",
     "model.toml:2:1: unknown key \"t_end\" in [simulation] (did you mean \"until\"?)"},
    {"UnknownKey", "[energy]\nkinetik = \"m/2*x'^2\"\n",
     "model.toml:2:1: unknown key \"kinetik\" in [energy] (did you mean \"kinetic\"?)"},
    {"UnknownKeyInBraces", "[coordinates]\nx = { star = 1 }\n",
     "model.toml:2:7: unknown key \"star\" in x (did you mean \"start\"?)"},
    {"VelocityOfACoordinate", "[coordinates]\nx = { velocity = 1 }\n",
     "model.toml:2:7: unknown key \"velocity\" in x (did you mean \"speed\"?)"},
    {"MechanismWithoutBodies", "[joint]\npin = { spherical = [\"ground\", \"arm\"], at = [0, 0, 0] }\n",
     "model.toml: the mechanism has no [body] (write [body.arm] and below it mass, inertia and position)"},
    {"BooleanForNumber", "[coordinates]\nx1 = { start = true }\n",
     "model.toml:2:16: x1.start must be a number or a formula, here a boolean"},
    {"DateForNumber", "[parameters]\nm = 2024-05-01\n", "model.toml:2:5: m must be a number or a formula, here a date"},
    {"Infinite", "[parameters]\nk = inf\n", "model.toml:2:5: k must be a finite number, here inf"},
    {"ListForFormula", "[energy]\nkinetic = [\"a\", \"b\"]\n",
     "model.toml:2:11: kinetic must be a number or a formula, here a list"},
    {"NumberForText", "title = 3\n", "model.toml:1:9: title must be a text in quotes, here a number"},
    {"EmptyFormula", "[energy]\nkinetic = \"\"\n",
     "model.toml:2:11: kinetic is empty (write a formula or remove the line)"},
    {"CoordinatesAsAList", "coordinates = [\"x\", \"y\"]\n",
     "model.toml:1:15: coordinates must be a table, here a list (write [coordinates] and below it one line for each, "
     "as "
     "x = { start = 0.0 })"},
    {"CoordinateAsANumber", "[coordinates]\nx = 0.3\n",
     "model.toml:2:5: x must be a table, here a number (write x = { start = 0.3 })"},
    {"StartAndGuess", "[coordinates]\nx = { start = 0.3, guess = 0.2 }\n",
     "model.toml:2:1: x has both start and guess (the first is kept as it is, the second is where the search begins: "
     "remove one of them)"},
    {"StartAndWeight", "[coordinates]\nx = { start = 0.3, weight = 2 }\n",
     "model.toml:2:1: x has both start and weight (a value that is given never changes: write it as a guess, or remove "
     "its weight)"},
    {"StartForceWithoutAName", "[start]\nlambda = 5\n",
     "model.toml:2:10: lambda must be a table, here a number (write lambda.guide = 5.0)"},
    {"ConstraintWithoutLevel", "[constraint]\nguide = \"x' - y\"\n",
     "model.toml:2:9: guide must be a table that names the level, here a text (write guide = { velocity = \"x' - y\" "
     "})"},
    {"ConstraintWithoutFormula", "[constraint]\nguide = { unit = \"m\" }\n",
     "model.toml:2:1: guide has no formula (write position = \"...\", velocity = \"...\" or acceleration = \"...\")"},
    {"ConstraintAtTwoLevels", "[constraint]\nguide = { position = \"x - y\", velocity = \"x' - y'\" }\n",
     "model.toml:2:31: guide is given at two levels, position and velocity (keep one of them; maggi differentiates it "
     "by itself)"},
    {"ParameterWithoutValue", "[parameters]\nm = { unit = \"kg\" }\n",
     "model.toml:2:1: m has no value (write m = { value = 1.0, unit = \"...\" })"},
    {"OutputWithoutFormula", "[output]\nh = { unit = \"m\" }\n",
     "model.toml:2:1: h has no formula (write h = { formula = \"...\", unit = \"...\" })"},
    {"NeitherEnergyNorEquations", "[coordinates]\nx = {}\n",
     "model.toml: the model has neither [energy] nor [equations] (write [energy] and below it kinetic = \"...\" and "
     "potential = \"...\")"},
    {"EnergyAndEquations", "[energy]\nkinetic = \"x'^2\"\n[equations]\nmass = [[1]]\n",
     "model.toml:3:2: [equations] and [energy] are both given (keep the one that is meant)"},
    {"NoKineticEnergy", "[coordinates]\nx = {}\n[energy]\npotential = \"x\"\n",
     "model.toml:3:2: [energy] has no kinetic energy (add kinetic = \"...\", as \"m/2*x'^2\")"},
    {"NoMassMatrix", "[coordinates]\nx = {}\n[equations]\nforce = [0]\n",
     "model.toml:3:2: [equations] has no mass matrix (add mass = [[...], ...], one row per coordinate)"},
    {"TooFewRows", "[coordinates]\nx = {}\ny = {}\n[equations]\nmass = [[1, 0]]\nforce = [0, 0]\n",
     "model.toml:5:8: mass has 1 row, expected 2 (one per coordinate: x, y)"},
    {"RowTooLong", "[coordinates]\nx = {}\ny = {}\n[equations]\nmass = [[1, 0], [0, 1, 0]]\nforce = [0, 0]\n",
     "model.toml:5:17: row 2 of mass has 3 entries, expected 2 (one per coordinate: x, y)"},
    {"ForceTooShort", "[coordinates]\nx = {}\ny = {}\n[equations]\nmass = [[1, 0], [0, 1]]\nforce = [0]\n",
     "model.toml:6:9: force has 1 entry, expected 2 (one per coordinate: x, y)"},
    {"MassNotAMatrix", "[coordinates]\nx = {}\n[equations]\nmass = [\"m\"]\nforce = [0]\n",
     "model.toml:4:9: mass[1] must be a list of formulas, here a text (write [\"m\", 0])"},
};

#define MODEL(parameters) parameters "[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2\"\n"

// two masses, on which controls act
#define MASSES "[coordinates]\nx = {}\ny = {}\n[energy]\nkinetic = \"x'^2 + y'^2\"\n"

const Mistake controls[] = {
    {"ServoWithoutControl", MASSES "[constraint]\npath = { position = \"x = t\", servo = true }\n",
     "model.toml:7:1: nothing keeps the servo constraint \"path\": the model has no control (add [control] with F = { "
     "along = { x = 1 } }, or remove servo = true if it has a reaction of its own)"},
    {"ControlWithoutServo", MASSES "[control]\nF = { along = { x = 1 } }\n",
     "model.toml:7:1: the control \"F\" has nothing to keep: no constraint is marked servo = true (mark the constraint "
     "that the control keeps; a force that is known goes to [generalised_force])"},
    {"MoreServoConstraintsThanControls",
     MASSES "[constraint]\na = { position = \"x = t\", servo = true }\nb = { position = \"y = t\", servo = true }\n"
            "[control]\nF = { along = { x = 1 } }\n",
     "model.toml:7:1: 2 servo constraints (\"a\" and \"b\") and 1 control (\"F\"): each servo constraint needs a "
     "control (add a control, or remove servo = true from one that has a reaction)"},
    {"ControlThatActsOnNothing",
     MASSES "[constraint]\na = { position = \"x = t\", servo = true }\n[control]\nF = { along = { x = 0 } }\n",
     "model.toml:9:1: control \"F\" acts on nothing (say what a unit of it does: along = { x = 1 })"},
    {"ControlOnAnUnknownCoordinate",
     MASSES "[constraint]\na = { position = \"x = t\", servo = true }\n[control]\nF = { along = { z = 1 } }\n",
     "model.toml:9:17: control \"F\" acts on \"z\", but no coordinate has this name (valid here: x and y)"},
    {"ControlWithoutDirection",
     MASSES "[constraint]\na = { position = \"x = t\", servo = true }\n[control]\nF = { unit = \"N\" }\n",
     "model.toml:9:1: F has no direction (write F = { along = { x = 1, y = \"...\" }, unit = \"N\" })"},
    {"ControlInAForce",
     MASSES "[generalised_force]\ny = \"control.F\"\n[constraint]\na = { position = \"x = t\", servo = true }\n"
            "[control]\nF = { along = { x = 1 } }\n",
     "model.toml:7:6: the force on \"y\" cannot contain the control control.F, which is unknown (only [output] may use "
     "it; a force that follows from a condition with itself in it is a [law])"},
    {"MultiplierOfAServoConstraint",
     MASSES "[constraint]\na = { position = \"x = t\", servo = true }\n[control]\nF = { along = { x = 1 } }\n"
            "[output]\npull = \"lambda.a\"\n",
     "model.toml:11:9: the servo constraint \"a\" has no multiplier (a control keeps it: use control.F, whatever its "
     "name is)"},
    {"ServoThatIsNoBoolean", MASSES "[constraint]\na = { position = \"x = t\", servo = \"yes\" }\n",
     "model.toml:7:35: a.servo must be true or false, here a text"},
    {"StopBesideAControl",
     MASSES "[constraint]\na = { position = \"x = t\", servo = true }\nfloor = { position = \"y\", one_sided = true }\n"
            "[control]\nF = { along = { x = 1 } }\n",
     "model.toml:8:1: \"floor\" is one-sided, but a control keeps \"a\" (an impact would violate it, and no control can "
     "make velocities jump)"},
    {"LocalPointCalledControl", MASSES "[local]\ncontrol = { x = \"x\" }\n",
     "model.toml:7:1: \"control\" cannot be the name of a local point: control.F is a control (choose another one, for "
     "example \"A\")"},
};

const Mistake numbers[] = {
    {"UnknownParameter", MODEL("[parameters]\nmass = 2\nk = \"mas*2\"\n"),
     "model.toml:3:6: no variable or parameter is named \"mas\" (did you mean \"mass\"?)"},
    {"ParameterBelow", MODEL("[parameters]\nk = \"2*m\"\nm = 2\n"),
     "model.toml:2:8: the parameter \"m\" is given below (a parameter may use those above it: change the order)"},
    {"ParameterOfACoordinate", MODEL("[parameters]\nk = \"2*x\"\n"),
     "model.toml:2:8: \"x\" is a coordinate (a number may use parameters only)"},
    {"ParameterOfTime", MODEL("[parameters]\nk = \"sin(t)\"\n"),
     "model.toml:2:10: a number of the model cannot depend on the time t (a number may use parameters only)"},
    {"DivisionByZero", MODEL("[parameters]\nm = 0\nk = \"1/m\"\n"),
     "model.toml:3:6: parameter \"k\" is not a finite number: 1/m (a division by zero, a root or logarithm of a "
     "negative number, or too large)"},
    {"ReservedName", MODEL("[parameters]\npi = 3\n"),
     "model.toml:2:1: \"pi\" cannot be the name of a parameter: formulas use it already (choose another one, for "
     "example \"pi_1\")"},
    {"NotAName", MODEL("[parameters]\n\"2nd mass\" = 3\n"),
     "model.toml:2:1: \"2nd mass\" cannot be the name of a parameter (a name is a letter, followed by letters, digits "
     "and _)"},
};

// lines 1 to 6, to be followed by a table in line 7
#define GIVEN "[parameters]\nm = 2.0\ng = 9.81\n[coordinates]\nx = { start = 0.3 }\ny = {}\n"
// lines 1 to 9
#define GIVEN_ENERGY GIVEN "[energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"m*g*y\"\n"

const Mistake formulas[] = {
    {"UnknownName", GIVEN "[energy]\nkinetic = \"mm/2*(x'^2 + y'^2)\"\n",
     "model.toml:8:12: no variable or parameter is named \"mm\" (did you mean \"m\"?)"},
    {"UnknownNameInALongFormula", GIVEN "[energy]\nkinetic = \"\"\"\n  m/2*x'^2\n  + m/2*z'^2\"\"\"\n",
     "model.toml:10:9: no variable or parameter is named \"z'\" (did you mean \"x'\"?)"},
    {"UnknownFunction", GIVEN "[energy]\nkinetic = \"m/2*sine(x)*x'^2\"\n",
     "model.toml:8:16: no function is named \"sine\" (did you mean \"sin\"?)"},
    {"UnknownMultiplier",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[output]\np = \"lambda.guid\"\n",
     "model.toml:13:6: no variable or parameter is named \"lambda.guid\" (did you mean \"lambda.guide\"?)"},
    {"OperatorMissing", GIVEN "[energy]\nkinetic = \"m/2 x'^2\"\n",
     "model.toml:8:16: an operator is missing between \"2\" and \"x'\" (write 2*x')"},
    {"ParenthesisMissing", GIVEN "[energy]\nkinetic = \"m/2*(x'^2 + y'^2\"\n",
     "model.toml:8:16: this \"(\" is never closed"},
    {"PowerOfAnotherLanguage", GIVEN "[energy]\nkinetic = \"x'**2\"\n",
     "model.toml:8:14: there is no operator \"**\" (write ^ for a power)"},
    {"ComparisonForEquation", GIVEN_ENERGY "[constraint]\nguide = { position = \"x == y\" }\n",
     "model.toml:11:25: \"==\" compares and does not state an equation (write =)"},
    {"VelocityInAPositionConstraint", GIVEN_ENERGY "[constraint]\nguide = { position = \"x' - y\" }\n",
     "model.toml:11:23: position constraint \"guide\" cannot contain the velocity x' (a constraint on velocities is "
     "written velocity = \"...\")"},
    {"AccelerationInAVelocityConstraint", GIVEN_ENERGY "[constraint]\nguide = { velocity = \"x'' - y\" }\n",
     "model.toml:11:23: velocity constraint \"guide\" cannot contain the acceleration x'' (a constraint on "
     "accelerations is written acceleration = \"...\")"},
    {"VelocityConstraintWithoutVelocity", GIVEN_ENERGY "[constraint]\nguide = { velocity = \"x - y\" }\n",
     "model.toml:11:23: velocity constraint \"guide\" constrains nothing: it contains no velocity (write position = "
     "\"...\")"},
    {"ConstraintWithoutCoordinate", GIVEN_ENERGY "[constraint]\nguide = { position = \"m - 2\" }\n",
     "model.toml:11:23: position constraint \"guide\" constrains nothing: it contains no coordinate (use a coordinate "
     "in "
     "it, or delete it)"},
    {"PotentialOfAVelocity", GIVEN "[energy]\nkinetic = \"x'^2 + y'^2\"\npotential = \"x'*y\"\n",
     "model.toml:9:14: the potential energy cannot contain the velocity x'"},
    {"KineticEnergyNotQuadratic", GIVEN "[energy]\nkinetic = \"x'^2 + y'^2 + x'*y'^2\"\n",
     "model.toml:8:12: the kinetic energy is not quadratic in the velocities y' and x' (T may contain velocities to "
     "the "
     "second power at most; other forces go to [generalised_force])"},
    {"ForceOnNothing", GIVEN_ENERGY "[generalised_force]\nz = \"1\"\n",
     "model.toml:11:1: a generalised force acts on \"z\", but no coordinate has this name (valid here: x and y)"},
    {"ForceOfAnAcceleration", GIVEN_ENERGY "[generalised_force]\nx = \"-x''\"\n",
     "model.toml:11:7: the force on \"x\" cannot contain the acceleration x''"},
    {"MassNotSymmetric", GIVEN "[equations]\nmass = [[1, \"x\"], [0, 1]]\nforce = [0, 0]\n",
     "model.toml:8:20: the mass matrix is not symmetric: entries [2, 1] and [1, 2] differ (M v̇ = h + Cᵀλ needs M = "
     "Mᵀ)"},
    {"CoordinateNamedLikeAParameter", "[parameters]\nx = 1\n[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2\"\n",
     "model.toml:4:1: the name \"x\" is already taken at model.toml:2:1 (every name means one thing: choose another "
     "one)"},
    {"CoordinateNamedTime", "[coordinates]\nt = {}\n[energy]\nkinetic = \"t'^2\"\n",
     "model.toml:2:1: \"t\" cannot be the name of a coordinate: formulas use it already (choose another one, for "
     "example \"t_1\")"},
    {"OutputNamedLikeACoordinate", GIVEN_ENERGY "[output]\nx = \"y\"\n",
     "model.toml:11:1: the name \"x\" is already taken at model.toml:5:1 (every name means one thing: choose another "
     "one)"},
    {"LocalCoordinateInTime", GIVEN_ENERGY "[local]\nA = { x = \"x + t\" }\n",
     "model.toml:11:12: local coordinate \"A.x\" depends on time (it is a function of the coordinates only; write what "
     "moves by itself into the constraint)"},
    {"LocalCoordinateOfAVelocity", GIVEN_ENERGY "[local]\nA = { x = \"x'\" }\n",
     "model.toml:11:12: local coordinate \"A.x\" cannot contain the velocity x'"},
    {"LocalCoordinateThatCannotMove", GIVEN_ENERGY "[local.A]\nx = \"2*m\"\n",
     "model.toml:11:6: local coordinate \"A.x\" contains no coordinate, so it cannot move (write it as a function of "
     "the "
     "coordinates; a fixed number is a parameter)"},
    {"LocalCoordinateInADefinition", GIVEN_ENERGY "[define]\ns = \"A.x\"\n[local]\nA = { x = \"x\" }\n",
     "model.toml:11:6: definition \"s\" cannot use \"A.x\", which is given below it ([define] comes first, then the "
     "points of [local] in their order)"},
    {"LocalCoordinateMisspelt",
     GIVEN_ENERGY "[local]\nA = { x = \"x\" }\n[constraint]\nguide = { position = \"A.y\" }\n",
     "model.toml:13:23: no variable or parameter is named \"A.y\" (did you mean \"A.x\"?)"},
    {"LocalPointWithoutCoordinates", GIVEN_ENERGY "[local]\nA = {}\n",
     "model.toml:11:1: the local point \"A\" has no coordinates (write A = { x = \"...\", y = \"...\" })"},
    {"LocalPointIsNoTable", GIVEN_ENERGY "[local]\nA = \"x\"\n",
     "model.toml:11:5: A must be a table, here a text (write A = { x = \"...\", y = \"...\" })"},
    {"LocalPointNamedLikeTheMultipliers", GIVEN_ENERGY "[local]\nlambda = { x = \"x\" }\n",
     "model.toml:11:1: \"lambda\" cannot be the name of a local point: lambda.guide is a multiplier (choose another "
     "one, "
     "for example \"A\")"},
    {"UnknownFormulation", GIVEN_ENERGY "[simulation]\nformulation = \"magi\"\n",
     "model.toml:11:15: no formulation is named \"magi\" (did you mean \"maggi\"?)"},
    {"UnknownIntegrator", GIVEN_ENERGY "[simulation]\nintegrator = \"dopri\"\n",
     "model.toml:11:14: no integrator is named \"dopri\" (did you mean \"dopri5\"?)"},
    {"UnknownDriftControl", GIVEN_ENERGY "[simulation]\ndrift = \"project\"\n",
     "model.toml:11:9: no drift control is named \"project\" (valid here: projection, baumgarte, pi and none)"},
};

#define HOOK GIVEN_ENERGY "[constraint]\nhook = { position = \"x - 1\", active = false }\n[event]\n"

const Mistake laws[] = {
    {"FrictionOnNothing",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"gide\", coefficient = "
                  "0.3, along = \"x'\" }\n",
     "model.toml:13:16: friction \"floor\" is on \"gide\", but no constraint has this name (did you mean \"guide\"?)"},
    {"FrictionWithoutAConstraint",
     GIVEN_ENERGY
     "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { coefficient = 0.3, along = \"x'\" }\n",
     "model.toml:13:1: floor does not say on which constraint it is (add on = \"guide\")"},
    {"FrictionWithoutCoefficient",
     GIVEN_ENERGY
     "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"guide\", along = \"x'\" }\n",
     "model.toml:13:1: floor has no coefficient (add coefficient = 0.3)"},
    {"FrictionWithoutSpeed",
     GIVEN_ENERGY
     "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"guide\", coefficient = 0.3 }\n",
     "model.toml:13:1: friction \"floor\" does not say how fast it slides: \"guide\" is no position constraint on one "
     "marker of a body or one [local] point alone (add along = \"x'\", or another sliding velocity as a formula over "
     "the velocities)"},
    {"FrictionInsideWithoutSpeed",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\", friction = { coefficient = 0.3 } }\n",
     "model.toml:11:31: friction \"guide\" does not say how fast it slides: \"guide\" is no position constraint on one "
     "marker of a body or one [local] point alone (add along = \"x'\", or another sliding velocity as a formula over "
     "the velocities)"},
    {"FrictionBetweenTwoPoints",
     GIVEN_ENERGY "[local]\nA = { x = \"x\", y = \"y\" }\nB = { x = \"x + y\", y = \"y\" }\n[constraint]\nguide = { "
                  "position = \"A.x - B.y\", friction = { coefficient = 0.3 } }\n",
     "model.toml:14:35: friction \"guide\" does not say how fast it slides: it is between the points \"A\" and \"B\" "
     "(add along = \"x'\", or another sliding velocity as a formula over the velocities)"},
    {"FrictionAtAPointThatCannotSlide",
     GIVEN_ENERGY
     "[local]\nA = { x = \"x\" }\n[constraint]\nguide = { position = \"A.x\", friction = { coefficient = 0.3 } }\n",
     "model.toml:13:29: friction \"guide\" does not say how fast it slides: it leaves the point \"A\" no line or plane "
     "to slide along (add along = \"x'\", or another sliding velocity as a formula over the velocities)"},
    {"NegativeFriction",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"guide\", coefficient = "
                  "-0.3, along = \"x'\" }\n",
     "model.toml:13:39: the coefficient of friction \"floor\" is -0.3 (it is not negative: friction acts against the "
     "motion)"},
    {"StictionBelowTheCoefficient",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"guide\", coefficient = "
                  "0.3, stiction = 0.2, along = \"x'\" }\n",
     "model.toml:13:55: the stiction of friction \"floor\" is 0.2, less than its coefficient 0.3 (what sticks can bear "
     "at least what slides: make stiction the larger one, or leave it out)"},
    {"SlidingSpeedWithoutVelocity",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"guide\", coefficient = "
                  "0.3, along = \"x\" }\n",
     "model.toml:13:53: the sliding speed of friction \"floor\" contains no velocity (write it as \"x' + "
     "l*th'*sin(th)\")"},
    {"SlidingSpeedWithoutSign",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"guide\", coefficient = "
                  "0.3, along = \"abs(x')\" }\n",
     "model.toml:13:53: the sliding speed of friction \"floor\" is not linear in the velocities (it has a sign: "
     "\"x'\", not \"abs(x')\"; two of them in a plane: [\"x'\", \"y'\"])"},
    {"FourSlidingSpeeds",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"guide\", coefficient = "
                  "0.3, along = [\"x'\", \"y'\", \"x' + y'\", \"x' - y'\"] }\n",
     "model.toml:13:1: friction \"floor\" has 4 sliding speeds (along is one speed, two if it slides in a plane, three "
     "if a ball turns in its socket)"},
    {"FrictionNamedLikeALaw",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[law]\nfloor = { along = { x = 1 }, law = "
                  "\"force.floor = 1\" }\n[friction]\nfloor = { on = \"guide\", coefficient = 0.3, along = \"x'\" }\n",
     "model.toml:15:1: the name \"floor\" is already taken at model.toml:13:1 (every name means one thing: choose "
     "another "
     "one)"},
    {"ReactionNamedLikeALaw",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[law]\ndrag = { along = { x = 1 }, law = "
                  "\"force.drag = 1\" }\n[reaction]\ndrag = { along = { x = 1 } }\n",
     "model.toml:15:1: the name \"drag\" is already taken at model.toml:13:1 (every name means one thing: choose "
     "another one)"},
    {"LawWithoutItsForce",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[law]\ndrag = { along = { x = 1 }, law = "
                  "\"lambda.guide + x'\" }\n",
     "model.toml:13:36: law \"drag\" does not contain its own force (write law = \"force.drag = ...\")"},
    {"LawWithoutDirection",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[law]\ndrag = { law = \"force.drag = 1\" }\n",
     "model.toml:13:1: drag has no direction (write drag = { along = { x = 1 }, law = \"force.drag = ...\" })"},
    {"LawWithoutLaw",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[law]\ndrag = { along = { x = 1 } }\n",
     "model.toml:13:1: drag has no law (write drag = { along = { x = 1 }, law = \"force.drag = ...\" })"},
    {"LawOfAnAcceleration",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[law]\ndrag = { along = { x = 1 }, law = "
                  "\"force.drag = x''\" }\n",
     "model.toml:13:49: law \"drag\" cannot contain the acceleration x''"},
    {"LawOfAnUnknownMultiplier",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[law]\ndrag = { along = { x = 1 }, law = "
                  "\"force.drag = lambda.gide\" }\n",
     "model.toml:13:49: no variable or parameter is named \"lambda.gide\" (did you mean \"lambda.guide\"?)"},
    {"LawOnNothing",
     GIVEN_ENERGY
     "[constraint]\nguide = { position = \"x - y\" }\n[law]\ndrag = { along = { z = 1 }, law = \"force.drag = 1\" }\n",
     "model.toml:13:20: law \"drag\" acts on \"z\", but no coordinate has this name (valid here: x and y)"},
    {"MultiplierInACoefficient",
     GIVEN_ENERGY "[constraint]\nguide = { position = \"x - y\" }\n[friction]\nfloor = { on = \"guide\", coefficient = "
                  "\"lambda.guide\", along = \"x'\" }\n",
     "model.toml:13:40: no variable or parameter is named \"lambda.guide\" (valid here: pi, g, m, t, x, x', y and y')"},
    {"PointNamedForce", GIVEN_ENERGY "[local]\nforce = { x = \"x\" }\n",
     "model.toml:11:1: \"force\" cannot be the name of a local point: force.drag is the force of a law (choose another "
     "one, for example \"A\")"},
};

const Mistake units[] = {
    {"NoUnit", MODEL("[parameters]\nl = { value = 30, unit = \"furlong\" }\n"),
     "model.toml:2:26: no unit is named \"furlong\" (units are written like \"mm\", \"deg\", \"N m/rad\", \"kg/m^3\")"},
    {"UnitMisspelt", MODEL("[parameters]\nl = \"30 mmm\"\n"),
     "model.toml:2:9: no unit is named \"mmm\" (did you mean \"mm\"?)"},
    {"TwoUnits", MODEL("[parameters]\nl = { value = \"30 mm\", unit = \"mm\" }\n"),
     "model.toml:2:16: the value has a unit of its own, \"mm\" (keep one of the two units)"},
    {"UnitWithoutValue", MODEL("[simulation]\nuntil = { unit = \"s\" }\n"),
     "model.toml:2:1: until has a unit but no value (write { value = 30, unit = \"mm\" })"},
    {"ValueWithoutUnit", MODEL("[simulation]\nuntil = { value = 2 }\n"),
     "model.toml:2:1: until has a value but no unit (write { value = 30, unit = \"mm\" })"},
    {"UnitsForUnit", MODEL("[simulation]\nuntil = { value = 2, units = \"s\" }\n"),
     "model.toml:2:22: unknown key \"units\" in until (did you mean \"unit\"?)"},
    {"TimeInMetres", MODEL("[simulation]\nuntil = { value = 2, unit = \"mm\" }\n"),
     "model.toml:2:19: until is given in \"mm\", but it is in s (write a unit of this kind)"},
    {"ToleranceWithAUnit", MODEL("[simulation]\nuntil = 2\nrtol = \"1e-6 m\"\n"),
     "model.toml:3:9: rtol is given in \"m\", but it is in 1 (it is a number without a unit)"},
    {"ParameterOfAnotherKind", MODEL("[parameters]\nT = { value = 2, unit = \"kg\" }\n[simulation]\nuntil = \"T\"\n"),
     "model.toml:4:10: until is given in \"kg\", but it is in s (write a unit of this kind)"},
    {"CoordinateInDegrees", "[coordinates]\nx = { start = 30, unit = \"deg\" }\n[energy]\nkinetic = \"x'^2\"\n",
     "model.toml:2:1: the unit of \"x\" is \"deg\", but its values are in rad (write unit = \"rad\"; a number may have "
     "a "
     "unit of its own, \"30 deg\")"},
    {"SpeedOfAnotherKind", "[coordinates]\nx = { speed = \"3 rpm\", unit = \"m\" }\n[energy]\nkinetic = \"x'^2\"\n",
     "model.toml:2:16: x.speed is given in \"rpm\", but it is in m/s (write a unit of this kind)"},
    {"UnitThatIsAParameter", MODEL("[parameters]\nm = 2\nl = \"3 m\"\n"),
     "model.toml:3:8: \"m\" is a unit and a name of the model (write 3*m for the product, 3 [m] for the unit)"},
};

const Mistake events[] = {
    {"UnknownRow", HOOK "catch = { when = \"x - 1\", switch_on = [\"hok\"] }\n",
     "model.toml:13:40: event \"catch\" switches \"hok\", but no constraint has this name (did you mean \"hook\"?)"},
    {"DoesNothing", HOOK "catch = { when = \"x - 1\" }\n",
     "model.toml:13:1: event \"catch\" does nothing (give it switch_on = [...], switch_off = [...] or stop = true)"},
    {"NeverChanges", HOOK "catch = { when = \"m - 1\", switch_on = [\"hook\"] }\n",
     "model.toml:13:19: the formula of event \"catch\" never changes, so it never crosses zero (use coordinates, "
     "velocities, multipliers or t in it; at = ... is a time)"},
    {"OnAndOff", HOOK "catch = { when = \"x - 1\", switch_on = [\"hook\"], switch_off = [\"hook\"] }\n",
     "model.toml:13:1: event \"catch\" switches \"hook\" both on and off (keep one of the two)"},
    {"OnAllTheTime",
     GIVEN_ENERGY "[constraint]\nhook = { position = \"x - 1\" }\n[event]\ncatch = { when = \"x - 1\", switch_on = "
                  "[\"hook\"] }\n",
     "model.toml:13:40: event \"catch\" switches on \"hook\", which is on all the time (write active = false in the "
     "constraint, or an event that switches it off)"},
    {"OffAllTheTime", HOOK "drop = { when = \"x - 1\", switch_off = [\"hook\"] }\n",
     "model.toml:13:40: event \"drop\" switches off \"hook\", which is off all the time (remove active = false from "
     "the "
     "constraint, or write an event that switches it on)"},
    {"NeverInForce", HOOK "end = { when = \"x - 1\", stop = true }\n",
     "model.toml:11:1: constraint \"hook\" is never in force: active = false, and no event switches it on (write an "
     "[event] with switch_on = [\"hook\"], or delete the constraint)"},
    {"NoFormula", HOOK "catch = { switch_on = [\"hook\"] }\n",
     "model.toml:13:1: catch has no formula (write catch = { when = \"...\", switch_on = [\"...\"] }, or at = ... for "
     "a "
     "time)"},
    {"TwoFormulas", HOOK "catch = { when = \"x - 1\", at = 2, switch_on = [\"hook\"] }\n",
     "model.toml:13:1: catch has both when and at (keep one of them: at = 2.0 is when = \"t - 2.0\")"},
    {"NoSuchCrossing", HOOK "catch = { when = \"x - 1\", crossing = \"up\", switch_on = [\"hook\"] }\n",
     "model.toml:13:38: no crossing is named \"up\" (valid here: any, rising and falling)"},
    {"RowsAreNoNames", HOOK "catch = { when = \"x - 1\", switch_on = 1 }\n",
     "model.toml:13:39: catch.switch_on must be a text in quotes, here a number"},
    {"StopIsNoBoolean", HOOK "catch = { when = \"x - 1\", stop = 1 }\n",
     "model.toml:13:34: catch.stop must be true or false, here a number"},
    {"ActiveIsNoBoolean", GIVEN_ENERGY "[constraint]\nhook = { position = \"x - 1\", active = \"no\" }\n",
     "model.toml:11:39: hook.active must be true or false, here a text"},
    {"WrongNameInTheTime", HOOK "catch = { at = \"2*mm\", switch_on = [\"hook\"] }\n",
     "model.toml:13:19: no variable or parameter is named \"mm\" (did you mean \"m\"?)"},
    {"WrongNameInTheFormula", HOOK "catch = { when = \"lambda.hok\", switch_on = [\"hook\"] }\n",
     "model.toml:13:19: no variable or parameter is named \"lambda.hok\" (did you mean \"lambda.hook\"?)"},
};

const Mistake drawings[] = {
    {"OfAVelocity", GIVEN_ENERGY "[drawing]\nA = { point = [\"x'\", 0] }\n",
     "model.toml:11:17: the drawing of \"A.x\" cannot contain the velocity x'"},
    {"OfAnUnknownName", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"yy\"] }\n",
     "model.toml:11:22: no variable or parameter is named \"yy\" (did you mean \"y\"?)"},
    {"NoPoint", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"y\"] }\nrod = { line = [\"A\", \"a\"] }\n",
     "model.toml:12:22: no point of the drawing is named \"a\" (did you mean \"A\"?)"},
    {"LineThroughOnePoint", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"y\"] }\nrod = { line = [\"A\"] }\n",
     "model.toml:12:1: \"rod\" goes through fewer than two points, so there is no line (write rod = { line = "
     "[\"A\", "
     "\"B\"] })"},
    {"LineOfFormulas", GIVEN_ENERGY "[drawing]\nrod = { line = [[0, 0], [\"x\", \"y\"]] }\n",
     "model.toml:11:17: rod.line[1] must be a text in quotes, here a list"},
    {"PointOfOneCoordinate", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\"] }\n",
     "model.toml:11:1: the point \"A\" has 1 coordinate, not two or three (write A = { point = [x, y] }, or [x, y, "
     "z])"},
    {"PlaneAndSpace", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"y\"] }\nB = { point = [0, 0, 0] }\n",
     "model.toml:12:1: the point \"B\" has 3 coordinates, those above have 2 (a drawing is either in a plane or in "
     "space)"},
    {"CircleWithoutRadius", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"y\"] }\nrim = { circle = \"A\" }\n",
     "model.toml:12:1: rim has no radius (write rim = { circle = \"A\", radius = 0.1 })"},
    {"AxisInAPlane",
     GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"y\"] }\nrim = { circle = \"A\", radius = 1, axis = [0, 0, 1] }\n",
     "model.toml:12:1: the circle \"rim\" has an axis, but all points lie in a plane (remove axis, or give every "
     "point "
     "a "
     "third coordinate)"},
    {"MisspeltKind", GIVEN_ENERGY "[drawing]\nA = { pont = [\"x\", \"y\"] }\n",
     "model.toml:11:7: unknown key \"pont\" in A (did you mean \"point\"?)"},
    {"TwoKinds", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"y\"], line = [\"A\"] }\n",
     "model.toml:11:1: A is both \"point\" and \"line\" (give each its own name)"},
    {"KeyOfAnotherKind", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"y\"], radius = 1 }\n",
     "model.toml:11:27: unknown key \"radius\" in A (valid here: point and trace)"},
    {"TraceIsAQuestion", GIVEN_ENERGY "[drawing]\nA = { point = [\"x\", \"y\"], trace = \"yes\" }\n",
     "model.toml:11:35: A.trace must be true or false, here a text"},
    {"NothingDrawn", GIVEN_ENERGY "[drawing]\nA = {}\n",
     "model.toml:11:1: A draws nothing (write A = { point = [\"x\", \"y\"] }, { line = [\"A\", \"B\"] }, { spring "
     "= "
     "[\"A\", \"B\"] } or { circle = \"A\", radius = 0.1 })"},
};

const auto name_of = [](const testing::TestParamInfo<Mistake>& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Syntax, ModelFileMistake, testing::ValuesIn(syntax), name_of);
INSTANTIATE_TEST_SUITE_P(Content, ModelFileMistake, testing::ValuesIn(content), name_of);
INSTANTIATE_TEST_SUITE_P(Controls, ModelFileMistake, testing::ValuesIn(controls), name_of);
INSTANTIATE_TEST_SUITE_P(Numbers, ModelFileMistake, testing::ValuesIn(numbers), name_of);
INSTANTIATE_TEST_SUITE_P(Formulas, ModelFileMistake, testing::ValuesIn(formulas), name_of);
INSTANTIATE_TEST_SUITE_P(Laws, ModelFileMistake, testing::ValuesIn(laws), name_of);
INSTANTIATE_TEST_SUITE_P(Units, ModelFileMistake, testing::ValuesIn(units), name_of);
INSTANTIATE_TEST_SUITE_P(Events, ModelFileMistake, testing::ValuesIn(events), name_of);
INSTANTIATE_TEST_SUITE_P(Drawings, ModelFileMistake, testing::ValuesIn(drawings), name_of);

}  // namespace
}  // namespace maggi
