// What a reader of a model would ask about is said with its place; models that are meant as they are get no notes.
#include "model/lint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "io/toml/model_file.hpp"
#include "support/source_tree.hpp"

namespace maggi::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> notes_of(const std::string& text) {
  std::vector<std::string> notes;
  const Model model = parse_model(text, "m.toml");
  for (const Note& note : lint(model, Numbers(model))) notes.push_back(note.text());
  return notes;
}

const std::string bodies = R"(dimension = 2
gravity = [0, -9.81]
[body]
a = { shape = "rod", mass = 1, from = [0, 0], to = [1, 0] }
b = { shape = "rod", mass = 1, from = [1, 0], to = [2, 0] }
[joint]
h = { revolute = ["ground", "a"], at = [0, 0] }
)";

TEST(Lint, ANormalModelHasNoNotes) {
  EXPECT_THAT(notes_of(bodies + R"(k = { revolute = ["a", "b"], at = [1, 0], start = 3.1 })"), IsEmpty());
}

TEST(Lint, AnAngleOfMoreThanATurnIsProbablyInDegrees) {
  EXPECT_THAT(notes_of(bodies + R"(k = { revolute = ["a", "b"], at = [1, 0], start = 45 })"),
              ElementsAre("note: m.toml:8:51: the start of \"k\" is 45 rad, more than a full turn (angles are in "
                          "radians; 45 degrees are \"45*pi/180\")"));
  EXPECT_THAT(notes_of(bodies + R"(k = { revolute = ["a", "b"], at = [1, 0], limits = { lower = -90, upper = 90 } })"),
              ElementsAre(HasSubstr("lower limit of \"k\" is -90 rad"), HasSubstr("upper limit of \"k\" is 90 rad")));
}

TEST(Lint, AJointFarFromItsRodNamesTheNearestEnd) {
  EXPECT_THAT(notes_of(bodies + R"(k = { revolute = ["a", "b"], at = [0.9, -0.4] })"),
              ElementsAre(HasSubstr("m.toml:8:1: joint \"k\" is 0.4 m from rod \"a\" (its nearest end is at [1, 0])")));
  EXPECT_THAT(notes_of(bodies + R"(k = { revolute = ["a", "b"], at = [1000, 0] })"),
              ElementsAre(HasSubstr("joint \"k\" is 999 m from rod \"a\"")));
}

TEST(Lint, ABodyOfHundredsOfMetresIsProbablyInMillimetres) {
  EXPECT_THAT(notes_of(R"(dimension = 2
gravity = [0, -9.81]
body = { a = { shape = "rod", mass = 1, from = [0, 0], to = [250, 0] } }
joint = { h = { revolute = ["ground", "a"], at = [0, 0] } })"),
              ElementsAre(HasSubstr("m.toml:3:10: body \"a\" is 250 m long (lengths are in metres; 250 mm are 0.25)")));
}

TEST(Lint, AStartInsideAnElasticStopTellsItsEnergy) {
  // 1e5/2 (0.8 − 0.5)² = 4500 J
  EXPECT_THAT(
      notes_of(
          bodies +
          R"(k = { revolute = ["a", "b"], at = [1, 0], start = 0.8, limits = { lower = -0.5, upper = 0.5, stiffness = 1e5, damping = 10 } })"),
      ElementsAre(HasSubstr("joint \"k\" starts 0.3 rad inside its elastic stop, which holds 4500 J there (its "
                            "limit is 0.5)")));
}

TEST(Lint, ABodyWithoutAJointFloats) {
  EXPECT_THAT(notes_of(bodies), ElementsAre(HasSubstr("m.toml:5:1: body \"b\" is held by no joint: it floats")));
}

TEST(Lint, WithoutGravityForceDriverAndSpeedNothingMoves) {
  const std::string still = R"(dimension = 2
body = { a = { shape = "rod", mass = 1, from = [0, 0], to = [1, 0] } }
)";
  EXPECT_THAT(notes_of(still + R"(joint = { h = { revolute = ["ground", "a"], at = [0, 0] } })"),
              ElementsAre(HasSubstr("m.toml: nothing moves: there is no gravity, no force, no driver and no speed")));
  EXPECT_THAT(notes_of(still + R"(joint = { h = { revolute = ["ground", "a"], at = [0, 0], speed = 1 } })"),
              ElementsAre(HasSubstr("m.toml: there is no gravity: bodies have no weight (gravity = [0, -9.81] makes "
                                    "bodies heavy; gravity = [0, 0] says that this is meant)")));
  EXPECT_THAT(notes_of("gravity = [0, 0]\n" + still +
                       R"(joint = { h = { revolute = ["ground", "a"], at = [0, 0], speed = 1 } })"),
              IsEmpty());
}

const std::string rods_in_space = R"(gravity = [0, 0, -9.81]
[body]
arm = { shape = "rod", mass = 1, from = [0, 0, 0], to = [0, 0, 1] }
link = { shape = "rod", mass = 1, from = [0, 0, 1], to = [0, 1, 1] }
end = { mass = 1, inertia = [1, 1, 1], position = [0, 1, 1] }
[joint]
h = { revolute = ["ground", "arm"], at = [0, 0, 0], axis = [1, 0, 0] }
g = { prismatic = ["ground", "end"], at = [0, 1, 1], axis = [0, 1, 0] }
b1 = { spherical = ["arm", "link"], at = [0, 0, 1] }
)";

TEST(Lint, AThinRodBetweenBallsSpins) {
  EXPECT_THAT(notes_of(rods_in_space + R"(b2 = { spherical = ["link", "end"], at = [0, 1, 1] })"),
              ElementsAre(HasSubstr("m.toml:4:1: body \"link\" is a thin rod on \"b1\" and \"b2\": it can spin about its "
                                    "own length and has no inertia about it")));
  EXPECT_THAT(notes_of(rods_in_space + R"(b2 = { universal = ["link", "end"], at = [0, 1, 1], axis = [1, 0, 0], second_axis = [0, 0, 1] })"),
              IsEmpty());
  EXPECT_THAT(notes_of(rods_in_space + R"(b2 = { spherical = ["link", "end"], at = [0.2, 1, 1] })"), IsEmpty());
}

TEST(Lint, TheExampleModelsAreMeantAsTheyAre) {
  int models = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_path("models"))) {
    if (file.path().extension() != ".toml") continue;
    ++models;
    const Model model = read_model(file.path());
    for (const Note& note : lint(model, Numbers(model))) ADD_FAILURE() << note.text();
  }
  EXPECT_GT(models, 50);
}

}  // namespace
}  // namespace maggi::test
