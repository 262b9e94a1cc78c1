#include "analysis/servo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dynamics/dynamics.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "support/hidden.hpp"
#include "support/reference.hpp"
#include "support/source_tree.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

using Kind = ServoRealisation::Kind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

struct Found {
  HiddenConstraints hidden;
  ServoRealisation realisation;
  InitialConditions start;
};

Found find(const Model& model) {
  Found found{test::find_hidden_constraints(model), {}, {}};
  EXPECT_EQ(found.hidden.unfinished, "");
  const EquationSystem system(test::with_hidden_constraints(model, found.hidden));
  Dynamics dynamics(system);
  found.start = find_initial_conditions(dynamics, system.start());
  found.realisation = *find_realisation(dynamics, found.start.state, found.hidden);
  return found;
}

/// Masses m1 = 1 … in a row with springs k = 10 between them, a force on the first, the last one prescribed.
Model chain(int masses) {
  std::string coordinates, kinetic, potential;
  for (int i = 1; i <= masses; ++i) {
    coordinates += "x" + std::to_string(i) + " = {}\n";
    kinetic += (i > 1 ? " + " : "") + std::string("0.5*x") + std::to_string(i) + "'^2";
    if (i > 1)
      potential +=
          (i > 2 ? " + " : "") + std::string("5*(x") + std::to_string(i) + " - x" + std::to_string(i - 1) + ")^2";
  }
  return parse_model("[simulation]\nfrom = 0.4\n[coordinates]\n" + coordinates + "[energy]\nkinetic = \"" + kinetic +
                         "\"\n" + (potential.empty() ? "" : "potential = \"" + potential + "\"\n") +
                         "[constraint]\npath = { position = \"x" + std::to_string(masses) +
                         " = sin(t)\", servo = true }\n[control]\nF = { along = { x1 = 1 } }\n",
                     "chain.toml");
}

TEST(Servo, EverySpringInBetweenAddsTwoToTheIndex) {
  for (int masses = 1; masses <= 4; ++masses) {
    const Found found = find(chain(masses));
    EXPECT_EQ(found.realisation.kind, masses == 1 ? Kind::orthogonal : Kind::tangential);
    EXPECT_EQ(found.realisation.index, 2 * masses + 1);
    EXPECT_EQ(found.realisation.internal, 0);
    EXPECT_EQ(static_cast<int>(found.hidden.found.size()), masses - 1);
    for (const HiddenConstraint& h : found.hidden.found) EXPECT_EQ(h.constraint.level, Level::position);
    // all move as x_i = a_i sin t:  −a_i = 10 (a_{i−1} − a_i) + 10 (a_{i+1} − a_i),  F = (−a₁ + 10 (a₁ − a₂)) sin t
    double a = 1.0, stretch = 0.0;  // of the last mass; of the spring behind it
    for (int i = masses; i > 1; --i) {
      stretch += -a / 10.0;
      a += stretch;
    }
    const double force = (-a + 10.0 * stretch) * std::sin(0.4);
    // a small force out of large ones through up to six derivatives: 1e-16 (k/m)³ and two digits for the start
    EXPECT_NEAR(found.start.acceleration.p[0], force, 1e-11);
  }
}

TEST(Servo, TheCraneIsMixed) {
  const Found found = find(read_example("overhead_crane"));
  EXPECT_EQ(found.realisation.kind, Kind::mixed);
  EXPECT_EQ(found.realisation.rank, 1);
  EXPECT_EQ(found.realisation.controls, 2);
  EXPECT_EQ(found.realisation.index, 5);
  EXPECT_EQ(found.realisation.internal, 0);
  ASSERT_EQ(found.hidden.found.size(), 1u);
  EXPECT_EQ(found.hidden.found[0].constraint.level, Level::position);
  EXPECT_THAT(found.hidden.found[0].from, UnorderedElementsAre("path_x", "path_y"));
  ASSERT_EQ(found.realisation.unreached.size(), 1u);  // across the rope, which hangs down at the start: along x
  EXPECT_EQ(found.realisation.unreached[0].front().row, 0);
}

TEST(Servo, TheCarIsTangential) {
  const Found found = find(read_example("vehicle"));
  EXPECT_EQ(found.realisation.kind, Kind::tangential);
  EXPECT_EQ(found.realisation.index, 4);     // the circle once, the condition on its tangent twice, and p
  EXPECT_EQ(found.realisation.internal, 1);  // the speed along the circle
  ASSERT_EQ(found.hidden.found.size(), 1u);
  EXPECT_TRUE(found.hidden.found[0].constraint.servo);
}

TEST(Servo, ACollocatedForceIsOrthogonalAndLeavesInternalDynamics) {
  Model model = read_example("two_masses_servo");
  model.constraints[0].formula = "xA = sin(t)";
  model.coordinates[1].start = 0.2, model.coordinates[1].guess.reset();
  const Found found = find(model);
  EXPECT_EQ(found.realisation.kind, Kind::orthogonal);
  EXPECT_EQ(found.realisation.index, 3);
  EXPECT_EQ(found.realisation.internal, 1);
  EXPECT_TRUE(found.hidden.found.empty());
}

TEST(Servo, AServoConstraintOnSpeedsHasALowerIndex) {
  Model model = read_example("two_masses_servo");
  model.constraints[0].level = Level::velocity;
  model.constraints[0].formula = "xB' = cos(t)";
  const Found found = find(model);
  EXPECT_EQ(found.realisation.index, 4);
  EXPECT_EQ(found.hidden.found[0].constraint.level, Level::position);
}

// --------------------------------------------------------------------------------------------------------- refused

std::string refusal(const Model& model) {
  try {
    find(model);
  } catch (const Error& error) { return error.what(); }
  return "";
}

/// Two free masses.
Model masses(const std::string& rest) {
  return parse_model("[coordinates]\nx = {}\ny = {}\n[energy]\nkinetic = \"x'^2 + y'^2\"\n" + rest, "model.toml");
}

TEST(Servo, WhatNoControlInfluencesIsRefused) {
  EXPECT_THAT(refusal(masses("[constraint]\npath = { position = \"y = t^2\", servo = true }\n"
                             "[control]\nF = { along = { x = 1 } }\n")),
              HasSubstr("model.toml:7:1: no control can influence \"path\", neither at once nor through the motion"));
}

TEST(Servo, ControlsThatActAlikeAreRefused) {
  EXPECT_THAT(refusal(masses("[constraint]\na = { position = \"x = t\", servo = true }\n"
                             "b = { position = \"y = t\", servo = true }\n"
                             "[control]\nF = { along = { x = 1 } }\nG = { along = { x = 2 } }\n")),
              HasSubstr("the controls \"F\" and \"G\" act alike"));
}

TEST(Servo, AControlAlongAConstraintIsRefused) {
  EXPECT_THAT(
      refusal(masses("[constraint]\nwall = { position = \"x\" }\npath = { position = \"y = t\", servo = true }\n"
                     "[control]\nF = { along = { x = 1 } }\n")),
      HasSubstr("control \"F\" has no effect: it acts along constraints that hold anyway"));
}

TEST(Servo, APathWithCornersIsRefusedWhereItIsDifferentiated) {
  Model model = read_example("two_masses_servo");
  model.constraints[0].formula = "xB = abs(t - 1)";
  EXPECT_THAT(refusal(model), HasSubstr("its path must have four continuous derivatives"));
  model.constraints[0].formula = "xA = abs(t - 1)";  // reached at once: a matter of the integrator
  EXPECT_EQ(refusal(model), "");
}

TEST(Servo, AnAccelerationOnAPathThatLeavesNoFreedomIsThatOfThePath) {
  Model model = read_model(test::source_path("models/overhead_crane.toml"));  // with the hidden constraint of the rope
  model.simulation.from = 2.5;
  const Acceleration known = find(model).start.acceleration;
  model.coordinates[0].acceleration = known.vdot[0];
  const Acceleration found = find(model).start.acceleration;
  EXPECT_EQ(found.vdot[0], known.vdot[0]);
  EXPECT_LT((found.p - known.p).norm(), 1e-9 * known.p.norm());  // p follows from the fourth derivative of the path
  model.coordinates[0].acceleration = known.vdot[0] + 1.0;
  try {
    find(model);
    ADD_FAILURE() << "has a start";
  } catch (const NoConsistentStart& error) {
    // across the rope no control acts, so its length and angle determine s'', wherever the load is
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("\"path_y\", \"hidden_1\" and s'' = "), HasSubstr("contradict each other")));
  }
}

}  // namespace
}  // namespace maggi::test
