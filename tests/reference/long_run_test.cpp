// Drift: 10 000 s of simulated time stay on the constraints to rounding error, without growth.
#include <gtest/gtest.h>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "manifold/projection.hpp"
#include "start/initial_conditions.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

struct Worst final : Sink {
  void accept(const Sample& sample) override {
    const bool early = sample.state.t < 1000.0;
    double& position = early ? position_early : position_late;
    double& velocity = early ? velocity_early : velocity_late;
    position = std::max(position, sample.residuals.position);
    velocity = std::max(velocity, sample.residuals.velocity);
    ++samples;
  }
  double position_early = 0, position_late = 0, velocity_early = 0, velocity_late = 0;
  int samples = 0;
};

class LongRun : public testing::TestWithParam<const char*> {};

TEST_P(LongRun, StaysOnTheConstraints) {
  const EquationSystem system(read_example(GetParam()));
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  IntegrateOptions options;
  options.until = 10000.0;
  options.output = 7.0;
  Worst worst;
  const maggi::IntegrationResult run = integrate(dynamics, start.state, worst, options);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_EQ(worst.samples, 1430);
  printf("%s: residual of positions %.1e, then %.1e; of velocities %.1e, then %.1e; %ld steps\n", GetParam(),
         worst.position_early, worst.position_late, worst.velocity_early, worst.velocity_late, run.statistics.steps);
  EXPECT_LE(std::max(worst.position_early, worst.position_late), 1e-12);
  EXPECT_LE(std::max(worst.velocity_early, worst.velocity_late), 1e-10);
  // no growth: the last nine tenths are as good as the first, within the tolerance of the projection
  EXPECT_LE(worst.position_late, 2 * worst.position_early + 10 * Projection::default_tolerance);
  EXPECT_LE(worst.velocity_late, 2 * worst.velocity_early + 10 * Projection::default_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Models, LongRun,
                         testing::Values("moving_pendulum", "four_bar_cut_ground", "four_bar_cut_coupler"));

}  // namespace
}  // namespace maggi::test
