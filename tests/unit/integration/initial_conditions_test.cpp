#include "maggi/integration/initial_conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

/// What the Error of a model says of the contradiction: its members, and how sure it is.
std::pair<std::vector<std::string>, Conflict::Proof> conflict_of(const Model& model) {
  std::vector<std::string> members;
  try {
    start_of(model);
  } catch (const NoConsistentStart& error) {
    for (const StartMember& member : error.conflict().members) members.push_back(member.text);
    return {members, error.conflict().proof};
  }
  return {};
}

TEST(InitialConditions, TooManyGivenAndContradictory) {
  Model model = circle();
  model.coordinates[0].start = 0.6, model.coordinates[1].start = 0.9, model.coordinates[2].start = 0.0;
  const auto [members, proof] = conflict_of(model);
  EXPECT_THAT(members, ElementsAre("\"rim\"", "x = 0.6", "y = 0.9"));  // z has nothing to do with it
  EXPECT_EQ(proof, Conflict::Proof::reach);
  EXPECT_THAT(message_of(model), testing::AllOf(HasSubstr("contradict each other"), HasSubstr("rim at 0.17 m^2"),
                                                HasSubstr("at x = 0.6, y = 0.9")));
}

TEST(InitialConditions, TooManyGivenButConsistent) {
  Model model = circle();
  model.coordinates[0].start = 0.6, model.coordinates[1].start = 0.8, model.coordinates[2].start = 0.0;
  EXPECT_NEAR(start_of(model).state.q[1], 0.8, 0.0);
}

TEST(InitialConditions, OutOfReach) {
  Model model = circle();
  model.coordinates[0].start = 1.5;
  const auto [members, proof] = conflict_of(model);
  EXPECT_THAT(members, ElementsAre("\"rim\"", "x = 1.5"));
  EXPECT_EQ(proof, Conflict::Proof::reach);
  EXPECT_THAT(message_of(model), HasSubstr("proven: \"rim\" is never below 1.25 m^2"));
}

TEST(InitialConditions, OutOfReachOfTwoRowsIsNotProven) {
  Model model = circle();  // a circle and a line beside it: each alone is within reach
  model.constraints.push_back({.name = "line", .formula = "x + y = 2"});
  const auto [members, proof] = conflict_of(model);
  EXPECT_THAT(members, ElementsAre("\"rim\"", "\"line\""));
  EXPECT_EQ(proof, Conflict::Proof::search);
  EXPECT_THAT(message_of(model), HasSubstr("not proven: no solution was found from 24 starts"));
}

TEST(InitialConditions, ContradictoryConstraints) {
  Model model = circle();
  model.constraints = {{.name = "here", .formula = "x + y = 1"},
                       {.name = "apart", .formula = "y = 3*z"},
                       {.name = "there", .formula = "2*x + 2*y = 4"}};
  const auto [members, proof] = conflict_of(model);
  EXPECT_THAT(members, ElementsAre("\"here\"", "\"there\""));
  EXPECT_EQ(proof, Conflict::Proof::linear);
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
  EXPECT_THAT(conflict_of(model).first, ElementsAre("\"rim\"", "x = 0.6", "x' = 1", "y' = 1"));
}

TEST(InitialConditions, GivenSpeedsChooseThePose) {
  Model model = circle();  // where x' = y' on the circle, x = -y
  model.coordinates[0].guess = 0.6, model.coordinates[1].guess = -0.9;
  model.coordinates[0].speed = 1.0, model.coordinates[1].speed = 1.0;
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.q[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(ic.state.q[1], -std::sqrt(0.5), 1e-12);
  EXPECT_THAT(ic.method, HasSubstr("positions and velocities together"));
}

/// A mass of 1 on a circle of radius 1 under gravity, as (x, y).
Model pendulum() {
  Model model = circle();
  model.coordinates.pop_back();
  model.kinetic = "(x'^2 + y'^2)/2";
  model.potential = "9.81*y";
  return model;
}

TEST(InitialConditions, AnAccelerationThatIsGivenFindsThePose) {
  Model model = pendulum();  // at rest x'' = -g sin(a) cos(a) = g x y
  model.coordinates[0].guess = 0.3, model.coordinates[0].speed = 0.0, model.coordinates[0].acceleration = -2.0;
  model.coordinates[1].guess = -1.0;
  const InitialConditions ic = start_of(model);
  EXPECT_EQ(ic.acceleration.vdot[0], -2.0);
  EXPECT_NEAR(ic.state.q[0] * ic.state.q[1], -2.0 / 9.81, 1e-12);
  EXPECT_NEAR(ic.state.q.norm(), 1.0, 1e-12);
  EXPECT_THAT(ic.vdot, ElementsAre(How::given, How::found));
  EXPECT_LT(ic.residual_acceleration, 1e-12);
}

TEST(InitialConditions, AMultiplierThatIsGivenFindsTheSpeed) {
  Model model = pendulum();  // lowest point: the rod pulls with g + v² = 2 λ y
  model.coordinates[0].start = 0.0, model.coordinates[0].speed_guess = 2.0;
  model.coordinates[1].guess = -1.0;
  model.start_multipliers = {{"rim", -10.0}};
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.v[0], std::sqrt(20.0 - 9.81), 1e-12);
  EXPECT_EQ(ic.acceleration.lambda[0], -10.0);
  EXPECT_NEAR(ic.acceleration.reaction[1], 20.0, 1e-12);

  model.start_multipliers.clear();
  model.start_reactions = {{"y", 20.0}};
  EXPECT_NEAR(start_of(model).state.v[0], std::sqrt(20.0 - 9.81), 1e-12);
}

TEST(InitialConditions, AForceThatNoSpeedCausesIsRefused) {
  Model model = pendulum();  // at the lowest point the rod pulls with g at least
  model.coordinates[0].start = 0.0, model.coordinates[1].start = -1.0;
  model.start_reactions = {{"y", 9.0}};
  EXPECT_THAT(conflict_of(model).first, ElementsAre("\"rim\"", "y = -1", "reaction.y = 9"));  // so x = 0
}

TEST(InitialConditions, AMultiplierThatIsNotUniqueIsSimplyChosen) {
  Model model = pendulum();
  model.coordinates[0].start = 0.6, model.coordinates[0].speed = 1.0;
  model.coordinates[1].guess = -1.0;
  const double alone = start_of(model).acceleration.lambda[0];
  model.constraints.push_back({.name = "again", .formula = "2*x^2 + 2*y^2 = 2"});
  model.start_multipliers = {{"rim", 1.0}};
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.v[0], 1.0, 0.0);
  EXPECT_EQ(ic.acceleration.lambda[0], 1.0);
  EXPECT_NEAR(ic.acceleration.lambda[1], (alone - 1.0) / 2.0, 1e-11);  // twice the row, half the multiplier
}

TEST(InitialConditions, NonlinearAccelerationRowsTakePart) {
  // the example with all three levels whose start is known; here v1 is not given, but its acceleration
  Model model;
  model.coordinates = {{.name = "q1", .start = 0.6, .acceleration = 5.59800796279833, .speed_guess = 0.6},
                       {.name = "q2", .guess = 0.8},
                       {.name = "q3", .start = 0.5},
                       {.name = "q4", .start = 0.4, .speed = -0.4}};
  model.mass = {{1.0, 0.3, 0.0, 0.0}, {0.3, 2.0, 0.0, 0.0}, {0.0, 0.0, 1.5, -0.2}, {0.0, 0.0, -0.2, 1.0}};
  model.force = {"-q1", "-19.62 + q1'*q2'/10", "-q3/2", "cos(q4) - q4'/5"};
  model.constraints = {
      {.name = "f", .formula = "q1^2 + q2^2 + q4^2/4 - (1 + t/10)^2"},
      {.name = "phi", .level = Level::velocity, .formula = "q3*q1' - q3' + q2'^2/5 + sin(t)/5"},
      {.name = "psi", .level = Level::acceleration, .formula = "q4'' + q1*q2'' + q4''^3/20 - 3/10*cos(t) - q1'*q3'"}};
  model.simulation.from = 0.3;
  const InitialConditions ic = start_of(model);
  EXPECT_LT((ic.state.v - Vector{{0.7, -0.3407311924355658, 0.4323235904319804, -0.4}}).norm(), 1e-12);
  // of 16 digits given, one is lost by the slope of q1'' over q1'
  EXPECT_LT((ic.acceleration.lambda - Vector{{6.234759603393768, -5.717019322530856, -0.1530507288515149}}).norm(),
            1e-11);
}

TEST(InitialConditions, WeightsSayWhatChangesLess) {
  Model model = circle();
  for (auto& c : model.coordinates) c.guess = 1.0;
  model.coordinates[0].weight = 1e6;
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.q[0], 1.0, 1e-3);  // the other takes the change; the weight is 1e6
  EXPECT_NEAR(ic.state.q.head(2).norm(), 1.0, 1e-12);
  model.coordinates[0].weight = 0.0;
  EXPECT_THAT(message_of(model), HasSubstr("weights are positive"));
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
