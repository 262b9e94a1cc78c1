// Drift: 10 000 s of simulated time stay on the constraints to rounding error, without growth.
#include <gtest/gtest.h>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "manifold/projection.hpp"
#include "start/initial_conditions.hpp"
#include "support/measured.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

struct Worst final : Sink {
  void accept(const Sample& sample) override {
    const bool early = sample.state.t < 1000.0;
    (early ? position_early : position_late).note(sample.residuals.position);
    (early ? velocity_early : velocity_late).note(sample.residuals.velocity);
    ++samples;
  }
  Largest position_early, position_late, velocity_early, velocity_late;
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
  const double position_early = worst.position_early.value(), position_late = worst.position_late.value();
  const double velocity_early = worst.velocity_early.value(), velocity_late = worst.velocity_late.value();
  record("position_early", position_early);
  record("position_late", position_late);
  record("velocity_early", velocity_early);
  record("velocity_late", velocity_late);
  record("steps", static_cast<double>(run.statistics.steps));
  EXPECT_LE(std::max(position_early, position_late), 1e-12);
  EXPECT_LE(std::max(velocity_early, velocity_late), 1e-10);
  // no growth: the last nine tenths are as good as the first, within the tolerance of the projection
  EXPECT_LE(position_late, 2 * position_early + 10 * Projection::default_tolerance);
  EXPECT_LE(velocity_late, 2 * velocity_early + 10 * Projection::default_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Models, LongRun,
                         testing::Values("moving_pendulum", "four_bar_cut_ground", "four_bar_cut_coupler"));

}  // namespace
}  // namespace maggi::test
