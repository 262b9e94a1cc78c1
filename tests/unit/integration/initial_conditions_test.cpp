#include "start/initial_conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dynamics/dynamics.hpp"
#include "support/reference.hpp"
#include "support/tolerances.hpp"
#include "system/formulas/equation_system.hpp"

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
  EXPECT_LT((ic.state.q - Vector{{0.6, 0.8, 3.0}}).norm(), tolerance::rounding);
  EXPECT_LT((ic.state.v - Vector{{-0.8, 0.6, 2.0}}).norm(), tolerance::rounding);
  EXPECT_THAT(ic.q, ElementsAre(How::given, How::found, How::given));
  EXPECT_THAT(ic.v, ElementsAre(How::given, How::found, How::given));
  EXPECT_EQ(ic.free_positions, 2);
  EXPECT_EQ(ic.free_velocities, 2);
}

TEST(InitialConditions, NamesAConstraintThatIsMetAtAPointOnly) {
  Model model = circle();
  model.constraints[0].formula = "x^2 + y^2 = 0";
  model.coordinates[0].guess = -1.0;
  model.coordinates[1].start = 0.0;
  EXPECT_THAT(message_of(model), HasSubstr("at which \"rim\" has no direction"));
  model.constraints[0].formula = "x^2 + y^2 = 1e-8";  // small, but a circle
  EXPECT_EQ(message_of(model), "no error");
}

TEST(InitialConditions, TheGuessDecidesTheBranch) {
  Model model = circle();
  model.coordinates[0].start = 0.6;
  model.coordinates[1].guess = -1.0;
  EXPECT_NEAR(start_of(model).state.q[1], -0.8, tolerance::rounding);
}

TEST(InitialConditions, NothingGivenChoosesTheBestDependentCoordinate) {
  Model model = circle();
  model.coordinates[0].guess = 0.1;
  model.coordinates[1].guess = 0.9;  // z has no guess: maggi chooses
  const InitialConditions ic = start_of(model);
  EXPECT_THAT(ic.q, ElementsAre(How::kept, How::found, How::kept));
  EXPECT_NEAR(ic.state.q[1], std::sqrt(1 - 0.01), tolerance::start_search);
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
  EXPECT_NEAR(ic.state.q.head(2).norm(), 1.0, tolerance::start_search);
}

TEST(InitialConditions, VelocityLevelAndTime) {
  Model model = circle();
  model.constraints = {{.name = "lift", .formula = "z = sin(2*t)"},
                       {.name = "steer", .level = Level::velocity, .formula = "x' = 3*y'"}};
  model.coordinates[1].speed = 0.5;
  const InitialConditions ic = start_of(model);
  EXPECT_LT((ic.state.v - Vector{{1.5, 0.5, 2.0}}).norm(), tolerance::rounding);
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
  EXPECT_EQ(start_of(model).state.q[1], 0.8);
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
  EXPECT_NEAR(ic.state.q[1], 0.8, tolerance::rounding);
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
  EXPECT_NEAR(ic.state.q[0], std::sqrt(0.5), tolerance::start_value);
  EXPECT_NEAR(ic.state.q[1], -std::sqrt(0.5), tolerance::start_value);
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
  EXPECT_NEAR(ic.state.q[0] * ic.state.q[1], -2.0 / 9.81, tolerance::start_value);
  EXPECT_NEAR(ic.state.q.norm(), 1.0, tolerance::start_value);
  EXPECT_THAT(ic.vdot, ElementsAre(How::given, How::found));
  EXPECT_LT(ic.residual_acceleration, tolerance::start_value);
}

TEST(InitialConditions, AMultiplierThatIsGivenFindsTheSpeed) {
  Model model = pendulum();  // lowest point: the rod pulls with g + v² = 2 λ y
  model.coordinates[0].start = 0.0, model.coordinates[0].speed_guess = 2.0;
  model.coordinates[1].guess = -1.0;
  model.start_multipliers = {{"rim", -10.0}};
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.v[0], std::sqrt(20.0 - 9.81), tolerance::start_value);
  EXPECT_EQ(ic.acceleration.lambda[0], -10.0);
  EXPECT_NEAR(ic.acceleration.reaction[1], 20.0, tolerance::start_value);

  model.start_multipliers.clear();
  model.start_reactions = {{"y", 20.0}};
  EXPECT_NEAR(start_of(model).state.v[0], std::sqrt(20.0 - 9.81), tolerance::start_value);
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
  EXPECT_EQ(ic.state.v[0], 1.0);
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
  EXPECT_LT((ic.state.v - Vector{{0.7, -0.3407311924355658, 0.4323235904319804, -0.4}}).norm(), tolerance::start_value);
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
  EXPECT_NEAR(ic.state.q.head(2).norm(), 1.0, tolerance::start_value);
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

// --- forces given together with laws and controls ------------------------------------------------------------------

/// A bead of mass 1 on the wire y = x²/2, with friction; at x = 0 the wire is level and N = g + v².
Model bead() {
  Model model;
  model.coordinates = {{.name = "x"}, {.name = "y"}};
  model.kinetic = "(x'^2 + y'^2)/2";
  model.potential = "9.81*y";
  model.constraints = {{.name = "wire", .formula = "y = x^2/2"}};
  model.frictions = {{.name = "wire",
                      .on = {{"wire"}},
                      .along = {"(x' + x*y')/sqrt(1 + x^2)"},
                      .coefficient = "0.3",
                      .normal = "lambda.wire*sqrt(1 + x^2)"}};
  return model;
}

TEST(ForcesGivenWithLaws, AReactionFindsTheSpeedOfABeadWithFriction) {
  Model model = bead();
  model.coordinates[0].start = 0.0, model.coordinates[0].speed_guess = 1.0;
  model.start_multipliers = {{"wire", 15.0}};
  const InitialConditions ic = start_of(model);
  const double v = std::sqrt(15.0 - 9.81);
  EXPECT_NEAR(ic.state.v[0], v, tolerance::start_value);
  EXPECT_EQ(ic.acceleration.lambda[0], 15.0);
  EXPECT_NEAR(ic.acceleration.tau[0], -0.3 * 15.0, tolerance::start_value);
  EXPECT_NEAR(ic.acceleration.vdot[0], -0.3 * 15.0, tolerance::start_value);
  EXPECT_NEAR(ic.acceleration.vdot[1], v * v, tolerance::start_value);
  EXPECT_NEAR(ic.acceleration.reaction[1], 15.0, tolerance::start_value);
  EXPECT_LT(ic.residual_acceleration, tolerance::start_value);
  EXPECT_EQ(ic.forces_given, 1);
}

TEST(ForcesGivenWithLaws, TheSenseOfSlidingIsFoundWithThem) {
  Model model = bead();  // friction acts against the motion: a reaction forwards is a motion backwards
  model.coordinates[0].start = 0.0;
  for (const double reaction : {4.5, -4.5}) {
    for (const double guess : {1.0, 0.0, -1.0}) {
      model.coordinates[0].speed_guess = guess;
      model.start_reactions = {{"x", reaction}};
      const InitialConditions ic = start_of(model);
      EXPECT_NEAR(ic.state.v[0], std::copysign(std::sqrt(15.0 - 9.81), -reaction), tolerance::start_value);
      EXPECT_NEAR(ic.acceleration.reaction[0], reaction, tolerance::start_value);
      EXPECT_NEAR(ic.acceleration.lambda[0], 15.0, tolerance::start_force);
      EXPECT_EQ(ic.mode.sense[0], -std::copysign(1.0, reaction));
    }
  }
}

TEST(ForcesGivenWithLaws, WhatSticksHasItsForceFound) {
  Model model = bead();  // at rest where the slope x is less than 0.3 it sticks with g x/√(1 + x²), along the wire
  model.coordinates[0].guess = 0.1, model.coordinates[0].speed = 0.0;
  model.start_multipliers = {{"wire", 9.6}};  // N = g/√(1 + x²) = λ √(1 + x²)
  const InitialConditions ic = start_of(model);
  const double x = std::sqrt(9.81 / 9.6 - 1.0);
  EXPECT_NEAR(ic.state.q[0], x, tolerance::start_value);
  EXPECT_NEAR(ic.acceleration.tau[0], 9.81 * x / std::sqrt(1.0 + x * x), tolerance::start_force);
  EXPECT_LT(ic.acceleration.vdot.norm(), tolerance::start_value);
  EXPECT_TRUE(ic.mode.rows[1]) << "the row by which it sticks";
  EXPECT_LT((ic.acceleration.reaction - Vector{{0.0, 9.81}}).norm(), tolerance::start_value * 9.81);
}

/// A block of mass 1 on a belt with speed 0.5, held by a spring of stiffness 100: friction 0.2 g, 0.4 g to break loose.
Model belt() {
  Model model;
  model.coordinates = {{.name = "x"}, {.name = "y"}};
  model.kinetic = "(x'^2 + y'^2)/2";
  model.potential = "50*x^2 + 9.81*y";
  model.constraints = {{.name = "floor", .formula = "y"}};
  model.frictions = {
      {.name = "sole", .on = {{"floor"}}, .along = {"x' - 0.5"}, .coefficient = "0.2", .stiction = "0.4"}};
  return model;
}

TEST(ForcesGivenWithLaws, AnAccelerationFindsWhereABlockBreaksLoose) {
  Model model = belt();  // x'' = -100 x + 0.2 g while it slides back
  model.coordinates[0].speed = 0.5, model.coordinates[0].guess = 0.0, model.coordinates[0].acceleration = -3.0;
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.q[0], (3.0 + 0.2 * 9.81) / 100, tolerance::start_search);
  EXPECT_EQ(ic.mode.sense[0], -1.0);
  EXPECT_NEAR(ic.acceleration.tau[0], 0.2 * 9.81, tolerance::start_value);
}

TEST(ForcesGivenWithLaws, ABlockThatWouldRatherStickIsRefused) {
  Model model = belt();  // with x'' = -1 the spring has 2.96 N only, less than the 3.92 N that stiction bears
  model.coordinates[0].speed = 0.5, model.coordinates[0].guess = 0.0, model.coordinates[0].acceleration = -1.0;
  EXPECT_THAT(message_of(model), HasSubstr("the forces given want contact \"sole\" to slide, but from the motion found "
                                           "with them it sticks"));
}

TEST(ForcesGivenWithLaws, ANormalForceThatNoSpeedCausesIsRefused) {
  Model model = bead();  // at x = 0 it is g at least, with or without friction
  model.coordinates[0].start = 0.0;
  model.start_multipliers = {{"wire", 5.0}};
  const auto [members, proof] = conflict_of(model);
  EXPECT_THAT(members, ElementsAre("\"wire\"", "x = 0", "lambda.wire = 5"));
  EXPECT_EQ(proof, Conflict::Proof::search);
}

TEST(ForcesGivenWithLaws, FrictionTakesPartInAContradiction) {
  Model model = bead();  // nothing pushes forwards what slides forwards, whatever the normal force
  model.coordinates[0].start = 0.0, model.coordinates[0].speed = 1.0, model.coordinates[0].acceleration = 3.0;
  EXPECT_THAT(conflict_of(model).first, ElementsAre("friction \"wire\"", "x = 0", "x' = 1", "x'' = 3"));
}

TEST(ForcesGivenWithLaws, FrictionInAPlaneTurnsWithTheSpeedThatIsFound) {
  Model model;  // the weight 10 slides on a level plane; a part of the friction is known, the direction is not
  model.coordinates = {{.name = "x", .speed_guess = 1.0}, {.name = "y", .speed_guess = 0.2}, {.name = "z"}};
  model.kinetic = "(x'^2 + y'^2 + z'^2)/2";
  model.potential = "10*z";
  model.constraints = {{.name = "plane", .formula = "z"}};
  model.frictions = {{.name = "sole", .on = {{"plane"}}, .along = {"x'", "y'"}, .coefficient = "0.5"}};
  model.start_reactions = {{"x", -3.0}};  // of 5: so the speed has the direction (0.6, ±0.8)
  const InitialConditions ic = start_of(model);
  EXPECT_NEAR(ic.state.v[0] / ic.state.v.head(2).norm(), 0.6, tolerance::start_force);
  EXPECT_NEAR(std::abs(ic.acceleration.tau[1]), 4.0, tolerance::start_force);
}

TEST(ForcesGivenWithLaws, AnyLawTakesPart) {
  Model model = bead();
  model.frictions.clear();
  model.laws = {{.name = "drag", .along = {{"x", "1"}}, .formula = "force.drag = -0.1*lambda.wire*x'"}};
  model.coordinates[0].start = 0.0, model.coordinates[0].speed_guess = 1.0, model.coordinates[0].acceleration = -3.0;
  const InitialConditions ic = start_of(model);  // 0.1 (g + v²) v = 3
  const double v = ic.state.v[0];
  EXPECT_NEAR(0.1 * (9.81 + v * v) * v, 3.0, tolerance::start_value);
  EXPECT_NEAR(ic.acceleration.tau[0], -3.0, tolerance::start_value);
}

/// A cart of mass 2 moved by a force as x = 1 − cos t, and a pendulum of mass 1 and length 1 on it.
Model cart() {
  Model model;
  model.coordinates = {{.name = "x"}, {.name = "th"}};
  model.kinetic = "x'^2 + ((x' + cos(th)*th')^2 + sin(th)^2*th'^2)/2";
  model.potential = "-9.81*cos(th)";
  model.constraints = {{.name = "path", .formula = "x = 1 - cos(t)", .servo = true}};
  model.controls = {{.name = "F", .along = {{"x", "1"}}}};
  return model;
}

TEST(ForcesGivenWithControls, AnAccelerationFindsThePose) {
  Model model = cart();  // th'' = −cos th − g sin th
  model.coordinates[1].guess = 0.1, model.coordinates[1].acceleration = -3.0;
  const InitialConditions ic = start_of(model);
  const double th = std::asin(3.0 / std::hypot(1.0, 9.81)) - std::atan(1.0 / 9.81);
  EXPECT_NEAR(ic.state.q[1], th, tolerance::start_search);
  EXPECT_EQ(ic.acceleration.vdot[1], -3.0);
  EXPECT_NEAR(ic.acceleration.p[0], 3.0 - 3.0 * std::cos(th), 1e-12);  // 3 x'' + cos th th''
  EXPECT_EQ(ic.acceleration.lambda[0], 0.0);
  EXPECT_LT(ic.residual_acceleration, tolerance::start_value);
}

TEST(ForcesGivenWithControls, TheForceOfAControlIsAReactionThatCanBeGiven) {
  Model model = cart();  // F = 3 x'' + cos th th'' − sin th th'²
  model.coordinates[1].start = 0.5, model.coordinates[1].speed_guess = 2.0;
  model.start_reactions = {{"x", -10.0}};
  const InitialConditions ic = start_of(model);
  const double c = std::cos(0.5), s = std::sin(0.5);
  EXPECT_NEAR(ic.acceleration.p[0], -10.0, tolerance::start_force);
  EXPECT_NEAR(ic.state.v[1], std::sqrt((3.0 - c * (c + 9.81 * s) + 10.0) / s), tolerance::start_value);
}

TEST(ForcesGivenWithControls, AServoConstraintHasNoMultiplierToGive) {
  Model model = cart();
  model.start_multipliers = {{"path", 2.0}};
  EXPECT_THAT(message_of(model), HasSubstr("\"path\" has no multiplier that could be given: a control keeps it"));
}

TEST(ForcesGivenWithControls, AnAccelerationThatThePathForbidsIsRefused) {
  Model model = cart();
  model.coordinates[1].start = 0.5;
  model.coordinates[0].acceleration = 2.0;  // the path wants 1
  EXPECT_THAT(conflict_of(model).first, ElementsAre("\"path\"", "x'' = 2"));
}

}  // namespace
}  // namespace maggi::test
