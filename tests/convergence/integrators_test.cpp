// Is the observed order the promised one, at the end of steps and in between, on constrained motion? Does the drift
// shrink with the step, and vanish with projection?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/largest.hpp"
#include "support/measured.hpp"
#include "support/motion.hpp"

namespace maggi {
namespace {

using test::Motion;
using test::Recording;
using test::Stored;

/// The pendulum in Cartesian coordinates, in the middle of its swing: a start with no symmetry.
Model swing() {
  return Motion::from_text(R"toml(
    title = "Pendulum"
    [coordinates]
    x = { start = 0.6 }
    y = { guess = -0.8 }
    [energy]
    kinetic = "x'^2/2 + y'^2/2"
    potential = "9.81*y"
    [constraint]
    rod = { position = "x^2 + y^2 = 1" })toml");
}

IntegrateOptions fixed_steps(const std::string& integrator, double h) {
  IntegrateOptions options;
  options.integrator = integrator;
  options.step = options.max_step = h;
  options.rtol = options.atol = 1e6;  // any error is accepted, so that max_step is the step
  return options;
}

/// Largest error of the stored states against a run whose error is near rounding.
double largest_error(const IntegrateOptions& options) {
  Motion motion(swing());
  Recording recording, reference;
  const maggi::IntegrationResult run = motion.run(options, recording);
  EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  motion.run({.until = options.until, .output = options.output, .rtol = 1e-13, .atol = 1e-14, .max_step = 1e-3},
             reference);
  EXPECT_EQ(recording.samples.size(), reference.samples.size());
  Largest error;
  for (std::size_t k = 0; k < std::min(recording.samples.size(), reference.samples.size()); ++k) {
    const Stored &a = recording.samples[k], &b = reference.samples[k];
    error.note(a.q - b.q);
    error.note(a.v - b.v);
  }
  return error.value();
}

/// log₂ of the error ratio when the step is halved, from the two finest of three steps. `output` in steps.
double observed_order(const std::string& integrator, double h, double output, const std::string& drift) {
  double last = 0.0, order = 0.0;
  for (int halving = 0; halving < 3; ++halving, h /= 2) {
    IntegrateOptions options = fixed_steps(integrator, h);
    options.drift = drift;
    options.until = 0.96;
    options.output = output == 0.0 ? options.until : output * h;
    const double e = largest_error(options);
    test::record(fmt::format("h_{}.error", h), e);
    if (halving > 0) test::record(fmt::format("h_{}.order", h), order = std::log2(last / e));
    last = e;
  }
  return order;
}

// The next term of the error expansion shifts the observed order by O(h): 0.3, 0.4 and 0.5 for orders 4, 5 and 8 here.

class Order : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, Order, ::testing::Values("projection", "none"), [](const auto& i) { return i.param; });

TEST_P(Order, OfAFixedStepIsThatOfTheEntry) {
  for (const IntegratorFacts& each : integration::integrators()) {
    if (each.step != IntegratorFacts::Step::fixed) continue;
    EXPECT_NEAR(observed_order(each.name, 0.02, 0.0, GetParam()), each.order, 0.3) << each.name;
  }
}

TEST_P(Order, Rk4IsOfOrderFourBetweenSteps) { EXPECT_NEAR(observed_order("rk4", 0.02, 0.7, GetParam()), 4.0, 0.3); }

TEST_P(Order, Dopri5IsOfOrderFive) { EXPECT_NEAR(observed_order("dopri5", 0.04, 0.0, GetParam()), 5.0, 0.4); }

TEST_P(Order, Dopri5IsOfOrderFiveBetweenSteps) {
  EXPECT_NEAR(observed_order("dopri5", 0.04, 0.7, GetParam()), 5.0, 0.4);
}

TEST_P(Order, Dop853IsOfOrderEight) { EXPECT_NEAR(observed_order("dop853", 0.24, 1.0, GetParam()), 8.0, 0.5); }

// the extension of order 7 has a local error of h⁸, which does not accumulate
TEST_P(Order, Dop853IsOfOrderEightBetweenSteps) {
  EXPECT_NEAR(observed_order("dop853", 0.24, 0.7, GetParam()), 8.0, 0.5);
}

TEST(StepControl, ErrorFollowsTheTolerance) {
  // the error per step is held at the tolerance, the error at the end then is proportional to it
  for (const char* integrator : {"dopri5", "dop853"}) {
    double first = 0.0, last = 0.0;
    for (const double rtol : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
      last = largest_error({.until = 2.0, .output = 0.1, .rtol = rtol, .atol = rtol, .integrator = integrator});
      test::record(fmt::format("{}.rtol_{:.0e}.error", integrator, rtol), last);
      EXPECT_LT(last, 100 * rtol);
      if (first == 0.0) first = last;
    }
    EXPECT_NEAR(std::log10(first / last) / 5, 1.0, 0.15) << integrator;
  }
}

TEST(Dopri5, ReproducesTheReferencePendulum) {
  std::ifstream file(test::source_path("tests/reference/pendulum.json"));
  const auto reference = nlohmann::json::parse(file);
  Motion motion(Motion::from_file("pendulum"));
  Recording recording;
  motion.run({.until = 10.0, .output = 0.25, .rtol = 1e-12, .atol = 1e-13}, recording);
  ASSERT_EQ(recording.samples.size(), reference["rows"].size());
  for (std::size_t k = 0; k < recording.samples.size(); ++k) {
    const auto& row = reference["rows"][k];
    const auto number = [&](int i) { return std::stod(row[i].get<std::string>()); };
    EXPECT_EQ(recording.samples[k].t, row[0].get<double>());
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(recording.samples[k].q[i], number(1 + i), 1e-9);  // tests/reference/README.md
      EXPECT_NEAR(recording.samples[k].v[i], number(3 + i), 4e-9);  // speeds up to 4.4 m/s
    }
  }
}

double largest_residual(const std::string& integrator, double h, const std::string& drift) {
  Motion motion(swing());
  Recording recording;
  IntegrateOptions options = fixed_steps(integrator, h);
  options.drift = drift;
  options.until = 3.0;
  options.output = 0.1;
  motion.run(options, recording);
  Largest residual;
  for (const Stored& s : recording.samples) residual.note(s.residuals.position), residual.note(s.residuals.velocity);
  return residual.value();
}

TEST(Drift, ShrinksWithTheStepAndVanishesWithProjection) {
  for (const auto& [integrator, order] : {std::pair{"rk4", 4.0}, std::pair{"dopri5", 5.0}}) {
    const double coarse = largest_residual(integrator, 0.02, "none"), fine = largest_residual(integrator, 0.01, "none");
    test::record(fmt::format("{}.h_0.02.residual", integrator), coarse);
    test::record(fmt::format("{}.h_0.01.residual", integrator), fine);
    EXPECT_GT(coarse, 1e-10);
    EXPECT_GT(std::log2(coarse / fine), order - 0.3);
    EXPECT_LT(largest_residual(integrator, 0.02, "projection"), 6e-13);  // 1e-13 (1 + |v|), |v| ≤ 4
  }
}

TEST(Drift, StaysAtRoundingInLongRuns) {
  Motion motion(swing());
  Recording recording;
  const maggi::IntegrationResult run =
      motion.run({.until = 200.0, .output = 1.0, .rtol = 1e-6, .atol = 1e-8}, recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end);
  for (const Stored& s : recording.samples) {
    EXPECT_LT(s.residuals.position, 3e-13);  // 1e-13 (1 + |x|) of the projection, |q| ≤ 2 and |v| ≤ 5
    EXPECT_LT(s.residuals.velocity, 6e-13);
  }
}

}  // namespace
}  // namespace maggi
