// Sliding friction at one state: the values of the papers to 40-digit arithmetic, and what friction cannot decide.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.hpp"
#include "maggi/expert/formulations.hpp"
#include "start/initial_conditions.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

using testing::HasSubstr;

constexpr double algebra = 1e-12;  // 16 digits given, four left for the condition of M and C

nlohmann::json values(const std::string& example) {
  return read_reference("check_values.json").at(example + "_with_friction");
}

std::string message_of(const Model& model) {
  try {
    const EquationSystem system(model);
    Dynamics dynamics(system);
    find_initial_conditions(dynamics, system.start());
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

class Friction : public testing::TestWithParam<std::string> {};

TEST_P(Friction, Bead) {
  const auto v = values("bead");
  const EquationSystem system(read_example("bead_friction"));
  Dynamics dynamics(system, GetParam());
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  EXPECT_LT(relative_error(start.state.q, vector(v["q"])), algebra);
  EXPECT_LT(relative_error(start.state.v, vector(v["v"])), algebra);
  EXPECT_LT(relative_error(start.acceleration.vdot, vector(v["vdot"])), algebra);
  EXPECT_LT(relative_error(start.acceleration.reaction, vector(v["r"])), algebra);
  EXPECT_NEAR(start.acceleration.lambda[0], number(v["lambda"][0]), algebra * 10);
  EXPECT_NEAR(start.acceleration.tau[0], -0.3 * number(v["N"]), algebra * 10);  // it moves up, along +x
  EXPECT_EQ(dynamics.mode().sense[0], 1.0);
}

TEST_P(Friction, BeadWithoutFriction) {
  const auto v = values("bead");
  Model model = read_example("bead_friction");
  set_parameter(model, "mu", 0.0);
  const EquationSystem system(model);
  Dynamics dynamics(system, GetParam());
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  EXPECT_LT(relative_error(start.acceleration.vdot, vector(v["vdot_ideal"])), algebra);
  EXPECT_NEAR(start.acceleration.lambda[0], number(v["lambda_ideal"][0]), algebra * 10);
}

TEST_P(Friction, Rod) {
  const auto v = values("rod");
  const EquationSystem system(read_example("rod_friction"));
  Dynamics dynamics(system, GetParam());
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  EXPECT_LT(relative_error(start.state.v, vector(v["v"])), algebra);
  EXPECT_LT(relative_error(start.acceleration.vdot, vector(v["vdot"])), algebra);
  EXPECT_LT(relative_error(start.acceleration.reaction, vector(v["r"])), algebra);
  EXPECT_NEAR(start.acceleration.lambda[0], number(v["lambda"][0]), algebra * 10);
  system.velocity(start.state, dynamics.workspace());
  EXPECT_NEAR(dynamics.workspace().terms.phi[1], number(v["v_t"]), algebra);
}

INSTANTIATE_TEST_SUITE_P(Formulations, Friction, testing::ValuesIn(nonideal_formulation_names()), [](const auto& each) {
  std::string name = each.param;
  std::erase(name, '-');
  return name;
});

/// The rod of the example, sliding the other way.
Model rod_backwards(double mu) {
  Model model = read_example("rod_friction");
  set_parameter(model, "mu", mu);
  set_parameter(model, "v", -2.0);
  return model;
}

LawSolutions solutions_of(const Model& model) {
  const EquationSystem system(model);
  Dynamics dynamics(system);
  const auto state = find_consistent_state(dynamics, system.start());
  Mode mode = dynamics.mode();
  mode.sense.setConstant(-1.0);
  dynamics.set_mode(mode);
  dynamics.decide_rows(*state);
  return dynamics.law_solutions(*state);
}

TEST(Painleve, BelowTheCriticalCoefficientTheForcesAreUnique) {
  EXPECT_TRUE(solutions_of(rod_backwards(1.37)).unique());
  EXPECT_EQ(message_of(rod_backwards(1.37)), "no error");
}

TEST(Painleve, TheCriticalCoefficient) {
  const LawSolutions solutions = solutions_of(rod_backwards(1.5));
  EXPECT_FALSE(solutions.unique());
  EXPECT_EQ(solutions.contact, 0);
  EXPECT_NEAR(solutions.critical, number(values("rod")["mu_painleve"]), algebra);
}

// γ − C M⁻¹h = −l θ'² sin θ + g decides which: with θ' = 0.5 it is positive, beyond θ' = √(g/(l sin θ)) = 3.4 negative
TEST(Painleve, NoSolution) {
  EXPECT_TRUE(solutions_of(rod_backwards(1.5)).found.empty());
  EXPECT_THAT(message_of(rod_backwards(1.5)),
              HasSubstr("the forces are not determined: no forces satisfy the laws: the friction of \"tip\" is beyond "
                        "its critical coefficient 1.37526"));
}

TEST(Painleve, TwoSolutions) {
  Model model = rod_backwards(1.5);
  set_parameter(model, "v", -20.0);
  model.coordinates[2].speed = -5.0;
  const LawSolutions solutions = solutions_of(model);
  ASSERT_EQ(solutions.found.size(), 2u);
  // S(e) λ = c with S = C M⁻¹(Cᵀ + μ e T), e = sign λ; C = (0, 1, −cos 1), T = (1, 0, sin 1), M = diag(1, 1, 1/3)
  const double c = 9.81 - 25 * std::sin(1.0), ideal = 1 + 3 * std::cos(1.0) * std::cos(1.0);
  const double coupled = -3 * std::cos(1.0) * std::sin(1.0) * 1.5;
  std::vector<double> expected{c / (ideal + coupled), c / (ideal - coupled)};
  std::vector<double> found{solutions.found[0].lambda[0], solutions.found[1].lambda[0]};
  std::ranges::sort(expected), std::ranges::sort(found);
  EXPECT_NEAR(found[0], expected[0], 1e-10 * std::abs(expected[0]));
  EXPECT_NEAR(found[1], expected[1], 1e-10 * std::abs(expected[1]));
  EXPECT_THAT(message_of(model), HasSubstr("2 sets of forces satisfy the laws"));
}

}  // namespace
}  // namespace maggi::test
