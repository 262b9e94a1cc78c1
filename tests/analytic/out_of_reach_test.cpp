// Drivers that ask for more than the mechanism can do, and points that meet: what a run says at its end.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/toml/model_file.hpp"
#include "maggi/error.hpp"
#include "maggi/simulation.hpp"
#include "support/mechanism_run.hpp"

namespace maggi::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Ended {
  Ended(const std::string& text, double until)
      : system(make_system(parse_model(text, "test.toml"))),
        dynamics(*system),
        start(find_initial_conditions(dynamics, system->start())),
        trajectory(*system, find_unique_forces(dynamics, start.state)),
        run(integrate(dynamics, start.state, trajectory, {.until = until, .output = until / 100})) {}

  std::unique_ptr<System> system;
  Dynamics dynamics;
  InitialConditions start;
  Trajectory trajectory;
  IntegrationResult run;
};

std::string boom(const std::string& follows) {
  return R"toml(
    dimension = 2
    gravity = [0, -9.81]
    [body.boom]
    shape = "rod"
    mass = 40
    from = [0, 0]
    to = [1.5, 0.2]
    [joint]
    foot = { revolute = ["ground", "boom"], at = [0, 0] }
    [driver]
    ram = { distance = ["ground", "boom"], from = [0.4, -0.5], to = [0.9, 0.12], follows = ")toml" +
         follows + "\" }\n";
}

/// The two feet and the end of the ram in line: its length is the sum of their distances from the foot of the boom, or
/// the difference.
TEST(OutOfReach, ARamHasAGreatestAndALeastLength) {
  const double a = std::hypot(0.4, 0.5), b = std::hypot(0.9, 0.12);
  const double outward = std::atan2(0.5, -0.4) - std::atan2(0.12, 0.9),
               inward = std::atan2(-0.5, 0.4) - std::atan2(0.12, 0.9);
  const Ended lifted(boom("0.79649231 + 0.5*t"), 3.0);
  EXPECT_EQ(lifted.run.outcome, Outcome::singular);
  EXPECT_THAT(lifted.run.explanation, AllOf(HasSubstr("t = 1.503"), HasSubstr("\"ram\" asks for 1.54828 m and more"),
                                            HasSubstr(fmt::format("ram.length has its greatest value {:.6g} m", a + b)),
                                            HasSubstr(fmt::format("foot.angle = {:.6g}", outward))));
  const Ended lowered(boom("0.79649231 - 0.5*t"), 3.0);
  EXPECT_EQ(lowered.run.outcome, Outcome::singular);
  EXPECT_THAT(lowered.run.explanation,
              AllOf(HasSubstr(fmt::format("\"ram\" asks for {:.6g} m and less", b - a)), HasSubstr("least value"),
                    HasSubstr(fmt::format("foot.angle = {:.6g}", inward))));
}

/// A slide that is driven beyond the length of crank and rod; the coordinates are found under the loop that closes.
TEST(OutOfReach, ASlideOfASliderCrank) {
  const Ended driven(R"toml(
    dimension = 2
    [body.crank]
    shape = "rod"
    mass = 1
    from = [0, 0]
    to = [0.3, 0.4]
    [body.rod]
    shape = "rod"
    mass = 1
    from = [0.3, 0.4]
    to = [1.05, 0]
    [body.piston]
    mass = 1
    inertia = 0.1
    position = [1.05, 0]
    [joint]
    main = { revolute = ["ground", "crank"], at = [0, 0] }
    big = { revolute = ["crank", "rod"], at = [0.3, 0.4] }
    small = { revolute = ["rod", "piston"], at = [1.05, 0] }
    bore = { prismatic = ["ground", "piston"], at = [1.05, 0], axis = [1, 0] }
    [driver]
    push = { joint = "bore", follows = "0.2*t" }
  )toml",
                     5.0);
  EXPECT_EQ(driven.run.outcome, Outcome::singular);
  EXPECT_THAT(driven.run.explanation,  // 0.5 + 0.85 from the bearing, 1.05 in the reference configuration
              AllOf(HasSubstr("\"push\" asks for 0.3 m and more"),
                    HasSubstr("bore.distance has its greatest value 0.3 m"), HasSubstr("t = 1.5")));
}

std::string slide(const std::string& joint, const std::string& more) {
  return R"toml(
    [body.m]
    shape = "point"
    mass = 1
    position = [1, 0, 0]
    [joint]
    x = { prismatic = ["ground", "m"], at = [1, 0, 0], axis = [1, 0, 0])toml" +
         joint + " }\n" + more;
}

void expect_no_start(const std::string& text, const std::string& what) {
  try {
    Simulation simulation(parse_model(text, "test.toml"));
    (void)simulation.start();
    ADD_FAILURE() << what;
  } catch (const Error& error) { EXPECT_THAT(error.what(), HasSubstr(what)); }
}

TEST(EndsThatMeet, AreNamedAtTheStart) {
  const std::string at_anchor = ", start = -1", from_to = R"(["ground", "m"], from = [0, 0, 0], to = [1, 0, 0])";
  for (const char* law : {"stiffness = 10, length = 0.5", "stiffness = 10, damping = 1, length = 0",
                          "force = \"10*sin(t)\"", "force = 3"})
    expect_no_start(slide(at_anchor, fmt::format("[force]\ns = {{ spring = {}, {} }}\n", from_to, law)),
                    "test.toml:9:1: the ends of spring \"s\" meet at (0, 0, 0) at");
  // nearly so: rounding chooses no direction
  expect_no_start(slide(", start = \"-0.1 - 0.2 - 0.7\"",
                        fmt::format("[force]\ns = {{ spring = {}, stiffness = 1, length = 0.5 }}\n", from_to)),
                  "the ends of spring \"s\" meet at");
}

/// A spring without a length of its own is linear, x'' = −10 x, also where its ends meet.
TEST(EndsThatMeet, ASpringOfNoLengthGoesOn) {
  const MechanismRun run(
      parse_model(slide(", start = -1, speed = 2",
                        "[force]\ns = { spring = [\"ground\", \"m\"], from = [0, 0, 0], to = [1, 0, 0], stiffness = "
                        "10, length = 0 }\n"),
                  "test.toml"),
      2.0, 0.25);
  const double omega = std::sqrt(10.0);
  for (std::size_t k = 0; k < run.size(); ++k) {
    EXPECT_NEAR(run["x.distance"][k], -1 + 2 / omega * std::sin(omega * run["t"][k]), 1e-10);  // rtol 1e-13
    EXPECT_NEAR(run["energy.total"][k], 2.0, 1e-10);
  }
}

TEST(EndsThatMeet, AreNamedWithTheTime) {
  const Ended driven(slide("",
                           "[driver]\nd = { distance = [\"ground\", \"m\"], from = [0, 0, 0], to = [1, 0, 0], "
                           "follows = \"1 - t\" }\n"),
                     2.0);
  EXPECT_NE(driven.run.outcome, Outcome::reached_end);
  EXPECT_THAT(driven.run.explanation,
              AllOf(HasSubstr("at t = 1 s"), HasSubstr("the ends of driver \"d\" meet at (0, 0, 0)")));
}

}  // namespace
}  // namespace maggi::test
