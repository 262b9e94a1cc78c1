#include "start/assemblies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

using testing::ElementsAre;

Assemblies assemblies_of(const Model& model) {
  const EquationSystem system(model);
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  return find_assemblies(dynamics, system.start(), start.state);
}

TEST(Assemblies, APointOnACircleIsAboveOrBelow) {
  Model model;
  model.coordinates = {{.name = "x", .start = 0.6}, {.name = "y", .guess = 1.0}, {.name = "z"}};
  model.kinetic = "x'^2 + y'^2 + z'^2";
  model.constraints = {{.name = "rim", .formula = "x^2 + y^2 = 1"}};
  const Assemblies found = assemblies_of(model);
  EXPECT_THAT(found.dependent, ElementsAre(1));  // z can be chosen: it stays
  EXPECT_FALSE(found.periodic[1]);
  ASSERT_EQ(found.found.size(), 2u);
  EXPECT_NEAR(found.found[0].q[1], 0.8, 1e-12);
  EXPECT_NEAR(found.found[1].q[1], -0.8, 1e-12);
}

TEST(Assemblies, TurnsDoNotCount) {
  Model model;
  model.coordinates = {{.name = "a", .guess = 7.0}, {.name = "b", .start = 0.0}};
  model.kinetic = "a'^2 + b'^2";
  model.constraints = {{.name = "level", .formula = "cos(a) = 0.5 + b"}};
  const Assemblies found = assemblies_of(model);
  EXPECT_TRUE(found.periodic[0]);
  ASSERT_EQ(found.found.size(), 2u);
  const double third = std::numbers::pi / 3;
  EXPECT_NEAR(found.found[0].q[0], third + 2 * std::numbers::pi, 1e-12);  // that of the start, as it is
  EXPECT_NEAR(found.found[1].q[0], -third, 1e-12);
  EXPECT_EQ(found.found[0].hits + found.found[1].hits, found.hits);
}

TEST(Assemblies, AFourBarIsOpenOrCrossed) {
  const Assemblies found = assemblies_of(read_example("four_bar_cut_ground"));
  ASSERT_EQ(found.found.size(), 2u);
  for (const Assembly& assembly : found.found) EXPECT_LT(assembly.residual, 1e-12);
}

}  // namespace
}  // namespace maggi::test
