// The flyball governor (IFToMM A05): stiff springs with dampers hold explicit steps at 1e-4 s. What does the implicit
// method save, and does auto find it?
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/measured.hpp"
#include "support/mechanism_run.hpp"
#include "support/reference.hpp"

namespace maggi {
namespace {

using test::MechanismRun;

constexpr double slider_at_end =
    0.6196229170614;            // [m] above the ground at 10 s, tests/reference/flyball_governor.json
constexpr double asked = 1e-6;  // of it, relative

MechanismRun run(const std::string& integrator, double tolerance) {
  return {test::read_example("flyball_governor"),
          {.until = 10.0, .output = 0.25, .rtol = tolerance, .atol = tolerance, .integrator = integrator}};
}

double error(const MechanismRun& run) { return std::abs((0.5 + run["guide.distance"].back()) / slider_at_end - 1.0); }

TEST(Stiff, ImplicitStepsAreTwentyTimesFewer) {
  const MechanismRun implicit = run("radau5", 1e-5);
  test::record("radau5.steps", static_cast<double>(implicit.run.statistics.steps));
  test::record("radau5.evaluations", static_cast<double>(implicit.run.statistics.evaluations));
  test::record("radau5.error", error(implicit));
  EXPECT_LT(error(implicit), asked);
  for (const char* integrator : {"dopri5", "dop853"}) {
    const MechanismRun explicitly = run(integrator, 1e-5);  // at any tolerance: it is stability that asks for them
    test::record(fmt::format("{}.steps", integrator), static_cast<double>(explicitly.run.statistics.steps));
    test::record(fmt::format("{}.error", integrator), error(explicitly));
    EXPECT_GT(explicitly.run.statistics.steps, 20 * implicit.run.statistics.steps) << integrator;
  }
}

TEST(Stiff, AutoFindsItAndSaysSo) {
  const MechanismRun found = run("auto", 1e-5);
  EXPECT_LT(error(found), asked);
  ASSERT_GE(found.run.events.size(), 1U);
  EXPECT_EQ(found.run.events[0].name, "integrator");
  EXPECT_THAT(found.run.events[0].what, testing::HasSubstr("radau5 goes on: stiff: stability holds the step at"));
  EXPECT_LT(found.run.events[0].t, 0.1) << "before much time is lost";
  EXPECT_LT(found.run.statistics.steps, 1000);
}

TEST(Stiff, AutoStaysExplicitWhereNothingIsStiff) {
  const MechanismRun squeezer(test::read_example("squeezer"),
                              {.until = 0.03, .output = 0.001, .rtol = 1e-6, .atol = 1e-6, .integrator = "auto"});
  EXPECT_TRUE(squeezer.run.events.empty());
}

}  // namespace
}  // namespace maggi
