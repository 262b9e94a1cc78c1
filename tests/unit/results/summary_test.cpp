#include "results/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/integrate.hpp"
#include "support/pendulum.hpp"

namespace maggi {
namespace {

using support::Motion;
using support::pendulum;
using testing::HasSubstr;

Summary run(Motion& motion, Trajectory& trajectory) {
  const IntegrationResult run =
      integrate(motion.dynamics, motion.start.state, trajectory, {.until = 2.0, .output = 0.1});
  return summarise(motion.dynamics, run, trajectory, 0.5);
}

TEST(Summary, OfAPendulum) {
  Motion motion(pendulum());
  Trajectory trajectory(motion.system);
  const Summary summary = run(motion, trajectory);
  EXPECT_EQ(trajectory.size(), 21u);
  EXPECT_EQ(summary.dof, 1);
  EXPECT_EQ(summary.rank, 1);
  EXPECT_EQ(summary.formulation, motion.dynamics.formulation());
  EXPECT_EQ(summary.outcome, Outcome::reached_end);
  EXPECT_EQ(summary.explanation, "");
  EXPECT_EQ(summary.t, 2.0);
  EXPECT_GT(summary.steps, 0);
  EXPECT_GE(summary.evaluations, summary.steps);
  EXPECT_EQ(summary.seconds, 0.5);
  EXPECT_LT(summary.residual_position, 1e-12);  // projection leaves rounding
  EXPECT_LT(summary.residual_velocity, 1e-12);
  ASSERT_TRUE(summary.energy_drift.has_value());
  EXPECT_LT(*summary.energy_drift, 1e-5);  // rtol = 1e-8 a step, some hundred steps, energies of 20 J
  ASSERT_EQ(summary.q.size(), 2u);
  EXPECT_EQ(summary.q[1].first, "y");
  EXPECT_EQ(summary.q[1].second, trajectory(20, 2));
  EXPECT_EQ(summary.v[0].first, "x");
  ASSERT_EQ(summary.lambda.size(), 1u);
  EXPECT_EQ(summary.lambda[0].first, "rod");
}

TEST(Summary, SaysWhyThereIsNoEnergyDrift) {
  Model damped = pendulum();
  damped.generalised_forces.push_back({"x", "-x'", {}});
  Motion motion(damped);
  Trajectory trajectory(motion.system);
  const Summary summary = run(motion, trajectory);
  EXPECT_FALSE(summary.energy_drift.has_value());
  EXPECT_EQ(summary.energy_note, motion.system.shape().energy_changes);
  EXPECT_NE(summary.energy_note, "");

  Motion given(parse_model("[coordinates]\nx = { start = 1, speed = 0 }\n[equations]\nmass = [[1]]\nforce = [\"-x\"]\n",
                           "m.toml"));
  Trajectory other(given.system);
  EXPECT_THAT(run(given, other).energy_note, HasSubstr("the energy is not known"));
}

TEST(Summary, OfARunThatStoredNothing) {
  Motion motion(pendulum());
  const Trajectory trajectory(motion.system);
  const Summary summary = summarise(motion.dynamics, {Outcome::singular, "because", 0.0, {}}, trajectory, 0.0);
  EXPECT_EQ(summary.explanation, "because");
  EXPECT_TRUE(summary.q.empty());
  EXPECT_EQ(summary.energy_note, "no state was stored");
}

}  // namespace
}  // namespace maggi
