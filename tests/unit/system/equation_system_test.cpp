#include "system/formulas/equation_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/dynamics.hpp"
#include "maggi/error.hpp"
#include "support/reference.hpp"

namespace maggi {
namespace {

Model particle() {
  Model model;
  model.parameters = {{"m", 2.0}, {"g", 9.81}};
  model.coordinates = {{.name = "x"}, {.name = "y"}};
  model.kinetic = "m/2*(x'^2 + y'^2)";
  model.potential = "m*g*y";
  return model;
}

Vector accelerations(const Model& model, const State& state) {
  const EquationSystem system(model);
  Dynamics dynamics(system);
  dynamics.decide_rows(state);
  Vector vdot(system.shape().n());
  EXPECT_TRUE(dynamics.accelerate(state, vdot.data()));
  return vdot;
}

template <class Action>
std::string message(Action&& action) {
  try {
    action();
  } catch (const Error& error) { return error.what(); }
  return "no error";
}
std::string construction_error(const Model& model) {
  return message([&] { EquationSystem system(model); });
}

// --- mechanics
// ---------------------------------------------------------------------------------------------------------

TEST(EquationSystem, RotatingFrameHasCoriolisAndCentrifugalForces) {
  // free particle in axes that turn with w: T has terms quadratic, linear and constant in the velocities;
  // known: x'' = w² x + 2 w y',  y'' = w² y − 2 w x'
  Model model = particle();
  model.parameters.push_back({"w", 0.7});
  model.kinetic = "m/2*((x' - w*y)^2 + (y' + w*x)^2)";
  model.potential = {};
  const State state{0.0, Vector{{0.3, -0.8}}, Vector{{1.1, 0.4}}};
  const double w = 0.7;
  const Vector expected{{w * w * 0.3 + 2 * w * 0.4, -w * w * 0.8 - 2 * w * 1.1}};
  EXPECT_LT((accelerations(model, state) - expected).norm(), 1e-14);  // rounding of small systems
  // Jacobi's energy v·∂T/∂v − T is what stays constant: m/2 (v² − w² r²)
  const EquationSystem system(model);
  const auto workspace = system.workspace();
  EXPECT_EQ(system.shape().energy_changes, "");
  EXPECT_NEAR(system.energy(state, *workspace).total,
              (1.1 * 1.1 + 0.4 * 0.4 - w * w * (0.3 * 0.3 + 0.8 * 0.8)) * 2.0 / 2, 1e-14);
}

TEST(EquationSystem, RheonomicKineticEnergy) {
  // pendulum whose pivot moves as a sin(w t): l θ'' = −g sin θ + a w² sin(w t) cos θ
  Model model;
  model.parameters = {{"m", 2.0}, {"l", 0.5}, {"g", 9.81}, {"a", 0.1}, {"w", 3.0}};
  model.coordinates = {{.name = "theta"}};
  model.definitions = {{"x", "a*sin(w*t) + l*sin(theta)"}, {"y", "-l*cos(theta)"}};
  model.kinetic = "m/2*(x'^2 + y'^2)";
  model.potential = "m*g*y";
  const double t = 0.4, theta = 0.9;
  const State state{t, Vector{{theta}}, Vector{{-1.3}}};
  const double expected = (-9.81 * std::sin(theta) + 0.1 * 9.0 * std::sin(3.0 * t) * std::cos(theta)) / 0.5;
  EXPECT_NEAR(accelerations(model, state)[0], expected, 1e-13);  // rounding of a longer formula
  EXPECT_EQ(EquationSystem(model).shape().energy_changes, "the kinetic energy depends on time");
}

TEST(EquationSystem, MassAndForceGiveTheSameAsEnergies) {
  Model direct;
  direct.parameters = {{"m1", 1.0}, {"m2", 0.5}, {"l", 0.7}, {"g", 9.81}};
  direct.coordinates = {{.name = "x"}, {.name = "th"}};
  direct.mass = {{"m1 + m2", "m2*l*cos(th)"}, {"m2*l*cos(th)", "m2*l^2"}};
  direct.force = {"m2*l*sin(th)*th'^2", "-m2*g*l*sin(th)"};
  Model energies = direct;
  energies.mass.clear(), energies.force.clear();
  energies.kinetic = "m1/2*x'^2 + m2/2*((x' + l*cos(th)*th')^2 + (l*sin(th)*th')^2)";
  energies.potential = "-m2*g*l*cos(th)";
  const State state{0.0, Vector{{0.2, 0.6}}, Vector{{-0.3, 2.0}}};
  EXPECT_LT((accelerations(direct, state) - accelerations(energies, state)).norm(), 1e-13);  // rounding
}

TEST(EquationSystem, GeneralisedForcesAreAdded) {
  Model model = particle();
  model.generalised_forces = {{"y", "m*g - 3*y'"}};
  const State state{0.0, Vector{{0.0, 0.0}}, Vector{{1.0, 2.0}}};
  EXPECT_LT((accelerations(model, state) - Vector{{0.0, -3.0}}).norm(), 1e-14);  // rounding of a small system
}

TEST(EquationSystem, ParametersStayInputs) {
  const EquationSystem system(particle());
  const auto workspace = system.workspace();
  const State state{0.0, Vector::Zero(2), Vector::Zero(2)};
  system.set_parameters(std::vector<double>{5.0, 1.0}, *workspace);
  system.acceleration(state, *workspace);
  EXPECT_EQ(workspace->terms.M[0], 5.0);
  EXPECT_EQ(workspace->terms.h[1], -5.0);
}

TEST(EquationSystem, OutputsSeeAccelerationsAndMultipliers) {
  Model model = particle();
  model.constraints = {{.name = "floor", .formula = "y"}};
  model.outputs = {{.name = "push", .formula = "lambda.floor/m"}, {.name = "sum", .formula = "x'' + y'' + t"}};
  const EquationSystem system(model);
  const auto workspace = system.workspace();
  const State state{2.0, Vector::Zero(2), Vector::Zero(2)};
  const Acceleration a{Vector{{3.0, 4.0}}, Vector{{10.0}}, Vector::Zero(2)};
  std::vector<double> values(2);
  system.outputs(state, a, *workspace, values);
  EXPECT_EQ(values[0], 5.0);
  EXPECT_EQ(values[1], 9.0);
}

TEST(EquationSystem, LocalCoordinatesMoveWithTheirMatrix) {
  // ẋ = J v and ẍ = J v̇ + J̇ v, against what the formulas say: A.x' and A.x'' are derived on their own
  Model model = particle();
  model.definitions = {{"r", "sqrt(x^2 + y^2)"}};
  model.points = {{"A", {{"x", "x*cos(y)"}, {"s", "r*y"}}}, {"B", {{"x", "A.x*x"}}}};
  model.outputs = {{"v1", "A.x'"},  {"v2", "A.s'"},  {"v3", "B.x'"}, {"a1", "A.x''"},
                   {"a2", "A.s''"}, {"a3", "B.x''"}, {"p1", "A.x"}};
  const EquationSystem system(model);
  const Shape& shape = system.shape();
  ASSERT_EQ(shape.nx(), 3);
  EXPECT_EQ(shape.local[1].name, "A.s");
  EXPECT_EQ(shape.local[2].point, "B");
  const auto workspace = system.workspace();
  const State state{0.0, Vector{{0.3, -0.8}}, Vector{{1.1, 0.4}}};
  const Vector vdot{{-0.7, 2.0}};
  Vector outputs(7);
  system.outputs(state, {vdot, {}, {}}, *workspace, {outputs.data(), 7});
  system.acceleration(state, *workspace);
  system.rates(state, vdot.data(), *workspace);
  Matrix J(3, 2), Jdot(3, 2);
  shape.J.scatter(workspace->terms.J, J);
  shape.J.scatter(workspace->terms.Jdot, Jdot);
  EXPECT_LT((J * state.v - outputs.head(3)).norm(), 1e-14);  // rounding; of sums of products below
  EXPECT_LT((J * vdot + Jdot * state.v - outputs.segment(3, 3)).norm(), 1e-13);
  EXPECT_NEAR(outputs[6], 0.3 * std::cos(-0.8), 1e-15);  // rounding of one product
}

// --- shape
// -------------------------------------------------------------------------------------------------------------

TEST(EquationSystem, ShapeHasLevelsNamesAndSparsity) {
  Model model = particle();
  model.coordinates.push_back({.name = "z", .unit = "m"});
  model.kinetic = "m/2*(x'^2 + y'^2 + z'^2)";
  model.constraints = {{.name = "a", .level = Level::acceleration, .formula = "x'' - y''^2"},
                       {.name = "v", .level = Level::velocity, .formula = "x' = t"},
                       {.name = "p", .formula = "x*y - 1", .unit = "m^2"}};
  const EquationSystem system(model);
  const Shape& s = system.shape();
  EXPECT_EQ(s.n(), 3);
  EXPECT_EQ(s.s_p, 1);
  EXPECT_EQ(s.s_v, 1);
  EXPECT_EQ(s.s_a, 1);
  EXPECT_EQ(s.rows[0].name, "p");
  EXPECT_EQ(s.rows[1].name, "v");
  EXPECT_EQ(s.rows[2].name, "a");
  EXPECT_FALSE(s.rows[1].nonlinear);
  EXPECT_TRUE(s.rows[2].nonlinear);
  EXPECT_TRUE(s.rheonomic);
  EXPECT_EQ(s.velocities[2].unit, "m/s");
  EXPECT_EQ(s.M.size(), 3);          // diagonal
  EXPECT_EQ(s.C.size(), 2 + 1 + 2);  // what each constraint contains
}

TEST(EquationSystem, SaysWhyEnergyIsNotConserved) {
  Model model = particle();
  EXPECT_EQ(EquationSystem(model).shape().energy_changes, "");
  model.constraints = {{.name = "wheel", .level = Level::velocity, .formula = "x'*sin(y) - y'*cos(y)"}};
  EXPECT_EQ(EquationSystem(model).shape().energy_changes, "");
  model.constraints = {{.name = "belt", .level = Level::velocity, .formula = "x' = 1"}};
  EXPECT_THAT(EquationSystem(model).shape().energy_changes, testing::HasSubstr("\"belt\" is not homogeneous"));
  for (const char* any_degree : {"x'^2 = 4*y'^2", "x' = sqrt(3*y'^2 + x'*y')", "x'/y' = 2 + sin(x)", "x'^3 = y'^3*t"}) {
    model.constraints = {{.name = "cone", .level = Level::velocity, .formula = any_degree}};
    EXPECT_EQ(EquationSystem(model).shape().energy_changes, "") << any_degree;
  }
  for (const char* mixed : {"x'^2 + y'^2 = 1", "x'^2 = y'", "x'*y' = y'^2*exp(-x')"}) {
    model.constraints = {{.name = "pace", .level = Level::velocity, .formula = mixed}};
    EXPECT_THAT(EquationSystem(model).shape().energy_changes, testing::HasSubstr("\"pace\" is not homogeneous"))
        << mixed;
  }
  model.constraints = {{.name = "lift", .formula = "y = 0.1*t"}};
  EXPECT_THAT(EquationSystem(model).shape().energy_changes, testing::HasSubstr("\"lift\" depends on time"));
}

// --- nonsense
// ------------------------------------------------------------------------------------------------------------

TEST(EquationSystem, RefusesNonsense) {
  Model model = particle();
  model.kinetic = "m/2*x'^3";
  EXPECT_THAT(construction_error(model), testing::HasSubstr("not quadratic in the velocity x'"));

  model = particle();
  model.definitions = {{"a", "2*b"}, {"b", "x"}};
  EXPECT_THAT(construction_error(model), testing::HasSubstr("cannot use \"b\", which is defined below it"));
  model.definitions = {{"a", "2*a"}};
  EXPECT_THAT(construction_error(model), testing::HasSubstr("definition \"a\" cannot use itself"));

  model = particle();
  model.potential = "m*g*y'";
  EXPECT_THAT(construction_error(model), testing::HasSubstr("the potential energy cannot contain the velocity y'"));

  model = particle();
  model.constraints = {{.name = "c", .formula = "x - y'"}};
  EXPECT_THAT(construction_error(model), testing::HasSubstr("a constraint on velocities is written velocity ="));

  model.constraints = {{.name = "c", .level = Level::velocity, .formula = "x - 1"}};
  EXPECT_THAT(construction_error(model), testing::HasSubstr("write position ="));

  model.constraints = {{.name = "c", .formula = "t - 1"}};
  EXPECT_THAT(construction_error(model), testing::HasSubstr("constrains nothing: it contains no coordinate"));

  model.constraints = {{.name = "c", .formula = "x"}, {.name = "c", .formula = "y"}};
  EXPECT_THAT(construction_error(model), testing::HasSubstr("\"c\""));

  model = particle();
  model.generalised_forces = {{"xx", "1"}};
  EXPECT_THAT(construction_error(model), testing::HasSubstr("did you mean \"x\"?"));

  model = particle();
  model.kinetic = model.potential = {};
  model.mass = {{"m", "1"}, {"0", "m"}};
  model.force = {"0", "0"};
  EXPECT_THAT(construction_error(model), testing::HasSubstr("not symmetric: entries [2, 1] and [1, 2] differ"));

  model = particle();
  model.coordinates.clear();
  EXPECT_THAT(construction_error(model), testing::HasSubstr("no [coordinates]"));
}

TEST(EquationSystem, MotionWithoutInertiaIsRefusedByName) {
  Model model = particle();
  model.kinetic = "m/2*x'^2";
  const EquationSystem system(model);
  Dynamics dynamics(system);
  const State state{0.0, Vector::Zero(2), Vector::Zero(2)};
  EXPECT_THAT(message([&] { dynamics.decide_rows(state); }),
              testing::HasSubstr("the motion along \"y\" has no inertia"));
  model.kinetic = "m/2*(x'^2 - y'^2)";
  const EquationSystem negative(model);
  Dynamics other(negative);
  EXPECT_THAT(message([&] { other.decide_rows(state); }), testing::HasSubstr("\"y\" has negative inertia"));
}

TEST(EquationSystem, ValuesThatAreNotFiniteAreNamed) {
  Model model = particle();
  model.potential = "m*g*log(y)";
  const EquationSystem system(model);
  Dynamics dynamics(system);
  const State state{0.0, Vector::Zero(2), Vector::Zero(2)};
  EXPECT_THAT(message([&] { dynamics.decide_rows(state); }),
              testing::HasSubstr("the force on \"y'\" is not a finite number at t = 0"));
}

}  // namespace
}  // namespace maggi
