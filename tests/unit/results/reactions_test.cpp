// Reactions as multipliers of orthonormal directions, and as forces one can point at.
#include "results/reactions.hpp"
#include "base/decompositions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/formulations.hpp"
#include "results/trajectory.hpp"
#include "start/initial_conditions.hpp"
#include "support/motion.hpp"
#include "support/random_equations.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

using testing::HasSubstr;

TEST(Reactions, LambdaWithoutInversion) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Equations e = random_equations({.n = 7, .rank = 1 + trial % 6}, random);
    const ResolvedReactions resolved = resolved_reactions(e);
    const auto formulation = make_formulation("augmented", "", e.n(), e.m());
    Vector vdot(e.n()), lambda(e.m());
    ASSERT_TRUE(formulation->solve(e, vdot, lambda));
    const double tolerance = 1e-10;  // ε κ(M) κ(C)² = 2e-12, two digits to spare
    EXPECT_LT((resolved.lambda - lambda).norm(), tolerance * (1.0 + lambda.norm()));
    EXPECT_LT((resolved.R * lambda - resolved.lambda_w).norm(), tolerance * (1.0 + lambda.norm()));
    // its square is that of the reaction in the metric M⁻¹
    const Vector r = e.C.transpose() * lambda;
    EXPECT_NEAR(resolved.lambda_w.squaredNorm(), r.dot(e.M.ldlt().solve(r)), tolerance * (1.0 + r.squaredNorm() * 100));
  }
}

TEST(Reactions, DependentRowsHaveNoResolvedMultipliers) {
  std::mt19937 random(2);
  EXPECT_THROW(resolved_reactions(random_equations({.n = 5, .rank = 2, .redundant = 1}, random)), Error);
}

/// Any directions that span the rows give back their own forces: B = Cᵀ X.
TEST(Reactions, DistributionUndoesAnyMixingOfTheRows) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const int m = 1 + trial % 5;
    const Equations e = random_equations({.n = 7, .rank = m}, random);
    const Matrix X = random_orthogonal(m, random) * graded(m, 100.0).asDiagonal(), B = e.C.transpose() * X;
    const Vector force = Vector::Random(m);
    const ForceSplit found = distribute(e.M, B, B * force);
    EXPECT_EQ(found.rank, m);
    EXPECT_LT(found.rest, 1e-12);                   // ε κ of a small solution
    EXPECT_LT((found.force - force).norm(), 1e-9);  // ε κ(X) κ(C) √κ(M) = 2e-12, and to spare
    // a part off their span is seen
    const Vector off = e.C.fullPivLu().kernel().col(0);
    EXPECT_GT(distribute(e.M, B, B * force + off).rest, 1e-3);
  }
}

void run_into(Trajectory& trajectory, const EquationSystem& system) {
  Dynamics dynamics(system);
  const State start = find_initial_conditions(dynamics, system.start()).state;
  integrate(dynamics, start, trajectory, {.until = 0.1, .output = 0.02});
}

/// The chain whose end A is on a line: its multiplier is the vertical force, the horizontal one is −tan α of it.
TEST(Reactions, ForcesAtAPoint) {
  const Model model = Motion::from_file("four_bar_slider");
  const EquationSystem system(model);
  Trajectory trajectory(system);
  run_into(trajectory, system);
  const int x = trajectory.find("force.A.x").value(), y = trajectory.find("force.A.y").value();
  const int lambda = trajectory.find("lambda.line").value();
  EXPECT_EQ(trajectory.channels()[x].unit, "N");
  ASSERT_GT(trajectory.size(), 4u);
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    EXPECT_NEAR(trajectory(i, y), trajectory(i, lambda), 1e-12 * std::abs(trajectory(i, lambda)));  // ε κ
    EXPECT_NEAR(trajectory(i, x), -std::tan(0.7) * trajectory(i, lambda), 1e-12 * std::abs(trajectory(i, lambda)));
  }
}

TEST(Reactions, ForcesAlongDirectionsOfTheUser) {
  Model model = Motion::from_file("moving_pendulum_driven");
  // half of what the row of the guide says: the force is twice the multiplier
  model.reactions = {{"N", {{"x2", "1/2", {}}, {"x3", "-rho*cos(x3)/2", {}}}, "N", {}}};
  const EquationSystem system(model);
  Trajectory trajectory(system);
  run_into(trajectory, system);
  const int force = trajectory.find("force.N").value(), lambda = trajectory.find("lambda.guide").value();
  for (std::size_t i = 0; i < trajectory.size(); ++i)
    EXPECT_NEAR(trajectory(i, force), 2 * trajectory(i, lambda), 1e-12 * std::abs(trajectory(i, lambda)));  // ε κ
}

TEST(Reactions, DirectionsThatDoNotSufficeAreNamed) {
  const auto refused = [](std::vector<ReactionForce> reactions) {
    Model model = Motion::from_file("moving_pendulum_driven");
    model.reactions = std::move(reactions);
    try {
      const EquationSystem system(model);
      Trajectory trajectory(system);
      run_into(trajectory, system);
    } catch (const Error& error) { return std::string(error.what()); }
    return std::string();
  };
  EXPECT_THAT(refused({{"N", {{"x2", "1", {}}}, "N", {}}}),
              HasSubstr("the forces of [reaction] cannot make up the reaction"));
  EXPECT_THAT(refused({{"N", {{"x2", "1", {}}, {"x3", "-rho*cos(x3)", {}}}, "N", {}},
                       {"P", {{"x2", "2", {}}, {"x3", "-2*rho*cos(x3)", {}}}, "N", {}}}),
              HasSubstr("depend on each other"));
  EXPECT_THAT(refused({{"N", {{"x9", "1", {}}}, "N", {}}}), HasSubstr("reaction \"N\" acts on \"x9\""));
}

}  // namespace
}  // namespace maggi::test
