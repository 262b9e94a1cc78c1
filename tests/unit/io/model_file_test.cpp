#include "io/toml/model_file.hpp"
#include "support/source_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace maggi {
namespace {

using testing::HasSubstr;

const std::string everything = R"toml(title = "All of it"

[parameters]
m = 2.0
J = { value = 5, unit = "kg m^2" }
k = "m*9.81"

[coordinates]
z = { start = 0.3, speed = "-0.9*m", unit = "m" }
a = { acceleration = 2, weight = 4, speed_weight = "m" }
b.guess = 0.4
b.speed_guess = 1e-3

[define]
s = "sin(z)"

[local]
P = { x = "z + s", y = { formula = "a", unit = "m" } }
wheel.angle = 'b/m'

[energy]
kinetic   = """
    m/2*z'^2
  + J/2*a'^2"""
potential = 'm*g*z'

[generalised_force]
a = "0.7 - 0.1*a'"
z = 3

[constraint.wheel]
velocity = "z' - a'"

[constraint.guide]
position = "z = a"
unit = "m"

[constraint]
arm = { acceleration = "z'' - a''", active = false }
path = { position = "b = sin(t)", servo = true, unit = "m" }
path_hides = { position = "b - z", servo = true, hidden = true }

[control]
push = { along = { a = 1, z = "cos(a)" }, unit = "N" }

[event]
catch = { when = "z - b", crossing = "rising", switch_on = ["arm"], switch_off = ["wheel", "guide"] }
late = { at = "2*m", crossing = "falling", switch_off = ["arm"] }
end = { at = 9.5, stop = true }

[output]
height = { formula = "z + 1", unit = "m" }
pull   = "lambda.guide"

[start]
lambda.guide = "2*m"
reaction.z = -1

[drawing]
hub = { point = ["z", 0, "a*t"], trace = true }
tip = { point = [1, "s", 0] }
rod = { line = ["hub", "tip"] }
coil = { spring = ["tip", "hub"] }
rim = { circle = "hub", radius = "m/8", axis = [0, "a", 1] }

[simulation]
from = 1
until = 10.0
output = 0.02
rtol = 1e-9
atol = 1e-11
step = 0.001
formulation = "maggi"
basis = "qr"
integrator = "rk4"
drift = "none"
)toml";

/// All that the user wrote, one item per line, without places.
std::vector<std::string> facts(const Model& model) {
  std::vector<std::string> lines{"title " + model.title};
  const auto say = [&](const std::string& what, const std::optional<Formula>& formula) {
    lines.push_back(what + " = " + (formula ? formula->text : "nothing"));
  };
  for (const Parameter& p : model.parameters) say("parameter " + p.name + " [" + p.unit + "]", p.value);
  for (const Coordinate& c : model.coordinates) {
    say("start of " + c.name + " [" + c.unit + "]", c.start);
    say("speed", c.speed);
    say("guess", c.guess);
    say("speed_guess", c.speed_guess);
    say("acceleration", c.acceleration);
    say("weight", c.weight);
    say("speed_weight", c.speed_weight);
  }
  for (const Definition& d : model.definitions) say("define " + d.name, d.formula);
  for (const LocalPoint& point : model.points) {
    lines.push_back("local point " + point.name);
    for (const LocalCoordinate& c : point.coordinates) say(c.name + " [" + c.unit + "]", c.formula);
  }
  say("kinetic", model.kinetic);
  say("potential", model.potential);
  for (const auto& row : model.mass)
    for (const Formula& entry : row) say("mass", entry);
  for (const Formula& entry : model.force) say("force", entry);
  for (const GeneralisedForce& f : model.generalised_forces) say("force on " + f.coordinate, f.formula);
  for (const Constraint& c : model.constraints)
    say(std::string(level_name(c.level)) + " constraint " + c.name + " [" + c.unit + "]" + (c.active ? "" : " off") +
            (c.servo ? " servo" : "") + (c.hidden ? " hidden" : ""),
        c.formula);
  for (const Control& control : model.controls)
    for (const GeneralisedForce& part : control.along)
      say("control " + control.name + " [" + control.unit + "] along " + part.coordinate, part.formula);
  for (const Event& e : model.events) {
    say("event " + e.name + " " + std::to_string(static_cast<int>(e.crossing)) + (e.stop ? " stop" : ""), e.when);
    for (const Reference& row : e.switch_on) lines.push_back("on " + row.name);
    for (const Reference& row : e.switch_off) lines.push_back("off " + row.name);
  }
  for (const StartForce& f : model.start_multipliers) say("lambda." + f.name, f.value);
  for (const StartForce& f : model.start_reactions) say("reaction." + f.name, f.value);
  for (const Output& o : model.outputs) say("output " + o.name + " [" + o.unit + "]", o.formula);
  for (const Sketch::Point& point : model.drawing.points) {
    lines.push_back("point " + point.name + (point.trace ? " traced" : ""));
    for (const Formula& at : point.at) say("at", at);
  }
  for (const Sketch::Line& line : model.drawing.lines) {
    lines.push_back((line.spring ? "spring " : "line ") + line.name);
    for (const Reference& point : line.through) lines.push_back(point.name);
  }
  for (const Sketch::Circle& circle : model.drawing.circles) {
    say("circle " + circle.name + " about " + circle.about.name, circle.radius);
    for (const Formula& axis : circle.axis) say("axis", axis);
  }
  const SimulationSettings& s = model.simulation;
  for (const auto& formula : {s.from, s.until, s.output, s.rtol, s.atol, s.step}) say("simulation", formula);
  for (const auto& word : {s.formulation, s.basis, s.integrator, s.drift}) lines.push_back(word.value_or("nothing"));
  return lines;
}

TEST(ModelFile, KeepsTheOrderOfTheFile) {
  const Model model = parse_model(everything, "all.toml");
  ASSERT_EQ(model.coordinates.size(), 3u);
  EXPECT_EQ(model.coordinates[0].name, "z");
  EXPECT_EQ(model.coordinates[1].name, "a");
  EXPECT_EQ(model.coordinates[2].name, "b");
  ASSERT_EQ(model.constraints.size(), 5u);
  EXPECT_EQ(model.constraints[0].name, "wheel");
  EXPECT_EQ(model.constraints[1].name, "guide");
  EXPECT_EQ(model.constraints[2].name, "arm");
  EXPECT_EQ(model.generalised_forces[0].coordinate, "a");
}

TEST(ModelFile, ReadsEveryKey) {
  const Model model = parse_model(everything, "all.toml");
  EXPECT_EQ(model.title, "All of it");
  EXPECT_EQ(model.file, "all.toml");
  EXPECT_EQ(model.parameters[0].value.text, "2");
  EXPECT_EQ(model.parameters[1].value.text, "5");
  EXPECT_EQ(model.parameters[1].unit, "kg m^2");
  EXPECT_EQ(model.coordinates[0].start->text, "0.3");
  EXPECT_EQ(model.coordinates[0].speed->text, "-0.9*m");
  EXPECT_FALSE(model.coordinates[1].start || model.coordinates[1].guess);
  EXPECT_EQ(model.coordinates[2].speed_guess->text, "0.001");
  EXPECT_EQ(model.coordinates[1].acceleration->text, "2");
  EXPECT_EQ(model.coordinates[1].weight->text, "4");
  EXPECT_EQ(model.coordinates[1].speed_weight->text, "m");
  EXPECT_EQ(model.start_multipliers[0].name, "guide");
  EXPECT_EQ(model.start_multipliers[0].value.text, "2*m");
  EXPECT_EQ(model.start_reactions[0].value.text, "-1");
  EXPECT_EQ(model.kinetic.text, "    m/2*z'^2\n  + J/2*a'^2");
  EXPECT_EQ(model.constraints[1].level, Level::position);
  EXPECT_EQ(model.constraints[1].unit, "m");
  EXPECT_TRUE(model.constraints[1].active);
  EXPECT_FALSE(model.constraints[2].active);
  ASSERT_EQ(model.events.size(), 3u);
  EXPECT_EQ(model.events[0].when.text, "z - b");
  EXPECT_EQ(model.events[0].crossing, Crossing::rising);
  EXPECT_EQ(model.events[0].switch_off[1].name, "guide");
  EXPECT_EQ(model.events[1].when.text, "t - (2*m)");
  EXPECT_EQ(model.events[2].crossing, Crossing::any);
  EXPECT_TRUE(model.events[2].stop);
  EXPECT_EQ(model.outputs[0].unit, "m");
  ASSERT_EQ(model.points.size(), 2u);
  EXPECT_EQ(model.points[0].coordinates[1].name, "y");
  EXPECT_EQ(model.points[0].coordinates[1].unit, "m");
  EXPECT_EQ(model.points[1].coordinates[0].formula.text, "b/m");
  ASSERT_EQ(model.drawing.points.size(), 2u);
  EXPECT_TRUE(model.drawing.points[0].trace && !model.drawing.points[1].trace);
  EXPECT_EQ(model.drawing.points[0].at[2].text, "a*t");
  EXPECT_EQ(model.drawing.lines[1].through[0].name, "tip");
  EXPECT_TRUE(model.drawing.lines[1].spring);
  EXPECT_EQ(model.drawing.circles[0].about.name, "hub");
  EXPECT_EQ(model.drawing.circles[0].axis[1].text, "a");
  EXPECT_EQ(model.simulation.drift, "none");
  EXPECT_EQ(model.simulation.atol->text, "1e-11");
}

TEST(ModelFile, LawsAndFrictionAreReadAndWritten) {
  const std::string text = R"toml(
[coordinates]
x = {}
y = {}

[energy]
kinetic = "x'^2 + y'^2"

[constraint]
floor = { position = "y", friction = { coefficient = 0.3, stiction = "0.3 + 0.1", along = "x'" } }
wall = { position = "x - y" }

[law]
drag = { along = { x = 1, y = "-x" }, law = "force.drag = -x'", unit = "N" }

[friction]
plane = { on = ["floor", "wall"], coefficient = "0.1*t", along = ["x'", "y'"], normal = "lambda.wall" }
)toml";
  const Model read = parse_model(text, "laws.toml");
  for (const Model& model : {read, parse_model(write_model(read), "again.toml")}) {
    ASSERT_EQ(model.laws.size(), 1u);
    EXPECT_EQ(model.laws[0].along[1].coordinate, "y");
    EXPECT_EQ(model.laws[0].formula.text, "force.drag = -x'");
    EXPECT_EQ(model.laws[0].unit, "N");
    ASSERT_EQ(model.frictions.size(), 2u);
    const auto& [inside, plane] = std::pair(model.frictions[0], model.frictions[1]);
    EXPECT_EQ(inside.name, "floor");
    ASSERT_EQ(inside.on.size(), 1u);
    EXPECT_EQ(inside.on[0].name, "floor");
    EXPECT_EQ(inside.stiction->text, "0.3 + 0.1");
    EXPECT_EQ(inside.along[0].text, "x'");
    EXPECT_FALSE(inside.normal);
    EXPECT_EQ(plane.on[1].name, "wall");
    EXPECT_EQ(plane.coefficient.text, "0.1*t");
    EXPECT_EQ(plane.along[1].text, "y'");
    EXPECT_EQ(plane.normal->text, "lambda.wall");
    EXPECT_FALSE(plane.stiction);
  }
}

TEST(ModelFile, EveryFormulaKnowsItsFirstCharacter) {
  const Model model = parse_model(everything, "all.toml");
  EXPECT_EQ(model.parameters[2].value.where.text(), "all.toml:6:6");
  EXPECT_EQ(model.parameters[0].value.where.text(), "all.toml:4:5");  // a number: its first digit
  EXPECT_EQ(model.parameters[0].where.text(), "all.toml:4:1");
  EXPECT_EQ(model.coordinates[0].speed->where.text(), "all.toml:9:29");
  EXPECT_EQ(model.kinetic.where.text(), "all.toml:23:1");  // the line end after """ does not belong to it
  EXPECT_EQ(model.potential.where.text(), "all.toml:25:14");
  EXPECT_EQ(model.constraints[0].where.text(), "all.toml:31:13");
}

TEST(ModelFile, ColumnsCountCharacters) {
  const Model model = parse_model(
      "[coordinates]\nx = { unit = \"kg·m²\", start = \"a\" }\n[energy]\nkinetic = \"\"\"x\"\"\"", "f.toml");
  EXPECT_EQ(model.coordinates[0].start->where.text(), "f.toml:2:32");
  EXPECT_EQ(model.kinetic.where.text(), "f.toml:4:14");
}

TEST(ModelFile, SubTablesInlineTablesAndDottedKeysAreTheSame) {
  const std::string rest = "[energy]\nkinetic = \"x'^2\"\n";
  const Model a = parse_model("coordinates = { x = { start = 1, unit = \"m\" } }\n" + rest, "a");
  const Model b = parse_model("[coordinates.x]\nstart = 1\nunit = \"m\"\n" + rest, "b");
  const Model c = parse_model("coordinates.x.start = 1\ncoordinates.x.unit = \"m\"\n" + rest, "c");
  EXPECT_EQ(facts(a), facts(b));
  EXPECT_EQ(facts(a), facts(c));
}

TEST(ModelFile, ReadsEquations) {
  const Model model = parse_model(
      "[coordinates]\nx = {}\ny = {}\n[equations]\nmass = [[\"m\", 0],\n        [0, 2.5]]\nforce = [0, \"-m*g\"]\n",
      "e.toml");
  ASSERT_EQ(model.mass.size(), 2u);
  EXPECT_EQ(model.mass[0][0].text, "m");
  EXPECT_EQ(model.mass[1][1].text, "2.5");
  EXPECT_EQ(model.mass[1][1].where.text(), "e.toml:6:13");
  EXPECT_EQ(model.force[1].text, "-m*g");
}

TEST(ModelFile, WindowsLineEndsAndByteOrderMark) {
  const Model model =
      parse_model("\xEF\xBB\xBF[coordinates]\r\nx = {}\r\n[energy]\r\nkinetic = \"x'^2\"\r\n", "w.toml");
  EXPECT_EQ(model.kinetic.where.text(), "w.toml:4:12");
}

TEST(ModelFile, WrittenAndReadAgainIsTheSameModel) {
  const Model model = parse_model(everything, "all.toml");
  EXPECT_EQ(facts(parse_model(write_model(model), "again.toml")), facts(model));
}

TEST(ModelFile, WritesWhatNoFileWouldContain) {
  Model model;
  model.title = "a \"quoted\"\ntitle with \\ and \x01 and é";
  model.parameters = {{"m", 1e300, "", {}}, {"2nd name", "2.0", "", {}}, {"n", "9007199254740993", "", {}}};
  model.coordinates.push_back({.name = "x", .start = Formula(-0.1), .speed_guess = Formula("m\n+ 1")});
  model.mass = {{Formula("m\n*2")}};
  model.force = {Formula(1e-7)};
  EXPECT_EQ(facts(parse_model(write_model(model), "")), facts(model));
}

TEST(ModelFile, WritesWhatAConstraintIsEqualTo) {
  Model model;
  model.coordinates.push_back({.name = "x"});
  model.kinetic = "x'^2";
  model.constraints.push_back({.name = "motor", .formula = "x", .equals = "sin(t)"});
  EXPECT_EQ(parse_model(write_model(model), "").constraints.at(0).formula.text, "x = sin(t)");
}

TEST(ModelFile, EveryExampleIsReadAndWritten) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_path("models"))) {
    if (entry.path().extension() != ".toml") continue;
    const Model model = read_model(entry.path());
    EXPECT_EQ(facts(parse_model(write_model(model), "again.toml")), facts(model)) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 1);
}

class ModelFileOnDisk : public testing::Test {
 protected:
  std::string message(const std::filesystem::path& path) {
    try {
      read_model(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::io);
      return error.what();
    }
    return "no error";
  }
  std::filesystem::path file(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("maggi_model_file_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(ModelFileOnDisk, MissingFileNamesTheNearest) {
  file("pendulum.toml", "");
  const std::string missing = (folder_ / "pendulm.toml").string(), near = (folder_ / "pendulum.toml").string();
  EXPECT_EQ(message(missing), missing + ": there is no such file (did you mean \"" + near + "\"?)");
  EXPECT_EQ(message(folder_ / "no" / "such" / "folder.toml"),
            (folder_ / "no" / "such" / "folder.toml").string() + ": there is no such file");
}

TEST_F(ModelFileOnDisk, WhatIsNoTextIsRefused) {
  EXPECT_THAT(message(folder_), HasSubstr("this is a directory, not a file"));
  EXPECT_THAT(message(file("a.toml", std::string("title\0=", 7))), HasSubstr("this is not a text file"));
  EXPECT_THAT(message(file("b.toml", "\xFF\xFEt\0")), HasSubstr("this is a text in UTF-16 (save the file with"));
  EXPECT_THAT(message(file("c.toml", std::string(10'000'001, '#'))), HasSubstr("this is larger than 10 MB"));
  EXPECT_THAT(message(""), HasSubstr("no file name is given"));
}

}  // namespace
}  // namespace maggi
