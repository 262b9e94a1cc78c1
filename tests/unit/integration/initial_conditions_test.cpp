#include "maggi/integration/initial_conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maggi/base/error.hpp"
#include "maggi/system/equation_system.hpp"
#include "support/reference.hpp"

namespace maggi::test {
namespace {

using How = InitialConditions::How;
using testing::ElementsAre;
using testing::HasSubstr;

InitialConditions start_of(const Model& model) {
  const EquationSystem system(model);
  Dynamics dynamics(system);
  return find_initial_conditions(dynamics, system.start());
}

std::string message_of(const Model& model) {
  try {
    start_of(model);
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

/// A point on a circle of radius 1 in x and y, and a free z.
Model circle() {
  Model model;
  model.coordinates = {{.name = "x"}, {.name = "y"}, {.name = "z"}};
  model.kinetic = "(x'^2 + y'^2 + z'^2)/2";
  model.constraints = {{.name = "rim", .formula = "x^2 + y^2 = 1", .unit = "m^2"}};
  return model;
}

TEST(InitialConditions, GivenValuesAreKeptAndTheRestIsFound) {
  Model model = circle();
  model.coordinates[0].start = 0.6, model.coordinates[0].speed = -0.8;
  model.coordinates[1].guess = 1.0;
  model.coordinates[2].start = 3.0, model.coordinates[2].speed = 2.0;
  const InitialConditions ic = start_of(model);
  EXPECT_LT((ic.state.q - Vector{{0.6, 0.8, 3.0}}).norm(), 1e-14);
  EXPECT_LT((ic.state.v - Vector{{-0.8, 0.6, 2.0}}).norm(), 1e-14);
  EXPECT_THAT(ic.q, ElementsAre(How::given, How::found, How::given));
  EXPECT_THAT(ic.v, ElementsAre(How::given, How::found, How::given));
  EXPECT_EQ(ic.free_positions, 2);
  EXPECT_EQ(ic.free_velocities, 2);
}

TEST(InitialConditions, TheGuessDecidesTheBranch) {
  Model model = circle();
  model.coordinates[0].start = 0.6;
  model.coordinates[1].guess = -1.0;
  EXPECT_NEAR(start_of(model).state.q[1], -0.8, 1e-14);
}

TEST(InitialConditions, NothingGivenChoosesTheBestDependentCoordinate) {
  Model model = circle();
  model.coordinates[0].guess = 0.1;
  model.coordinates[1].guess = 0.9;  // z has no guess: maggi chooses
  const InitialConditions ic = start_of(model);
  EXPECT_THAT(ic.q, ElementsAre(How::kept, How::found, How::kept));
  EXPECT_NEAR(ic.state.q[1], std::sqrt(1 - 0.01), 1e-13);
  EXPECT_EQ(ic.method, "dependent coordinates solved for");
}

TEST(InitialConditions, AFullGuessChangesLeastInTheMassMetric) {
  Model model = circle();
  model.kinetic = "(x'^2 + y'^2 + z'^2)/2";
  for (auto& c : model.coordinates) c.guess = 1.0;
  const InitialConditions ic = start_of(model);
  EXPECT_LT((ic.state.q - Vector{{std::sqrt(0.5), std::sqrt(0.5), 1.0}}).norm(), 1e-12);  // radially inwards
  EXPECT_THAT(ic.method, HasSubstr("least change"));
}

TEST(InitialConditions, ASingularGuessIsLeft) {
  Model model = circle();  // at x = y = 0 the gradient of the constraint vanishes
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.q.head(2).norm(), 1.0, 1e-13);
}

TEST(InitialConditions, VelocityLevelAndTime) {
  Model model = circle();
  model.constraints = {{.name = "lift", .formula = "z = sin(2*t)"},
                       {.name = "steer", .level = Level::velocity, .formula = "x' = 3*y'"}};
  model.coordinates[1].speed = 0.5;
  const InitialConditions ic = start_of(model);
  EXPECT_LT((ic.state.v - Vector{{1.5, 0.5, 2.0}}).norm(), 1e-14);
  EXPECT_EQ(ic.free_positions, 2);
  EXPECT_EQ(ic.free_velocities, 1);
}

TEST(InitialConditions, TooManyGivenAndContradictory) {
  Model model = circle();
  model.coordinates[0].start = 0.6, model.coordinates[1].start = 0.9, model.coordinates[2].start = 0.0;
  EXPECT_THAT(message_of(model),
              testing::AllOf(HasSubstr("3 positions are given, but only 2 can be chosen freely"),
                             HasSubstr("\"rim\" stays at 0.17 m^2"),
                             HasSubstr("given: x = 0.6, y = 0.9, z = 0; write 1 of them as a guess")));
}

TEST(InitialConditions, TooManyGivenButConsistent) {
  Model model = circle();
  model.coordinates[0].start = 0.6, model.coordinates[1].start = 0.8, model.coordinates[2].start = 0.0;
  EXPECT_NEAR(start_of(model).state.q[1], 0.8, 0.0);
}

TEST(InitialConditions, OutOfReach) {
  Model model = circle();
  model.coordinates[0].start = 1.5;
  EXPECT_THAT(message_of(model), testing::AllOf(HasSubstr("no positions satisfy the constraints near the guesses"),
                                                HasSubstr("\"rim\" stays at 1.25 m^2"), HasSubstr("given: x = 1.5")));
}

TEST(InitialConditions, ContradictoryConstraints) {
  Model model = circle();
  model.constraints = {{.name = "here", .formula = "x = 1"}, {.name = "there", .formula = "x = 2"}};
  EXPECT_THAT(message_of(model),
              testing::AllOf(HasSubstr("cannot satisfy all constraints"), HasSubstr("depends on")));
}

TEST(InitialConditions, RedundantConstraintsJustWork) {
  Model model = circle();
  model.coordinates[0].start = 0.6, model.coordinates[0].speed = 1.0;
  model.coordinates[1].guess = 1.0;
  model.constraints.push_back({.name = "rim_again", .formula = "2*x^2 + 2*y^2 = 2"});
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.q[1], 0.8, 1e-14);
  // λ of least norm: both rows carry, in the ratio 1 : 2
  EXPECT_NEAR(ic.acceleration.lambda[1], 2 * ic.acceleration.lambda[0], 1e-13);
}

TEST(InitialConditions, GivenSpeedsThatContradict) {
  Model model = circle();
  model.coordinates[0].start = 0.6, model.coordinates[1].guess = 1.0;
  model.coordinates[0].speed = 1.0, model.coordinates[1].speed = 1.0, model.coordinates[2].speed = 0.0;
  EXPECT_THAT(message_of(model), HasSubstr("3 velocities are given, but only 2 can be chosen freely"));
}

TEST(InitialConditions, BadChoiceOfGivenValues) {
  Model model = circle();
  model.coordinates[0].start = 1.0;  // there y = 0 and the rim is vertical: y is not determined by x
  model.coordinates[1].guess = 0.3;
  const std::string text = message_of(model);
  EXPECT_THAT(text, testing::AnyOf(HasSubstr("do not determine"), HasSubstr("no positions satisfy"))) << text;
}

}  // namespace
}  // namespace maggi::test
