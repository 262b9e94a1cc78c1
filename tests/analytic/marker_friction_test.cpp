// Friction on a constraint on a marker of a body, which slides along the other coordinates of the marker.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "io/toml/model_file.hpp"
#include "maggi/error.hpp"
#include "maggi/simulation.hpp"
#include "support/mechanism_run.hpp"

namespace maggi::test {
namespace {

using ::testing::HasSubstr;

constexpr double g = 9.81, mu = 0.1, e = 0.3, height = 0.5;

std::string thrown(const std::string& floor) {
  return fmt::format(R"toml(
    gravity = [0, 0, -9.81]
    [body.crate]
    shape = "box"
    size = [0.4, 0.3, 0.2]
    mass = 5
    position = [0, 0, 0.6]
    [joint]
    air = {{ free = ["ground", "crate"], at = [0, 0, 0.6], speed = {{ x = 1.2, y = 0.9 }} }}
    [constraint]
    {}
  )toml",
                     floor);
}

/// A crate that touches with its mass centre does not turn. It falls with v = √(2 g h), each impact takes μ (1 + e) v
/// of its speed along the floor, e v is left to fall again; afterwards it slides with −μ g.
TEST(MarkerFriction, ACrateBouncesAndSlides) {
  for (const char* position : {"crate.centre.z - 0.1", "2*(crate.centre.z - 0.1)"}) {
    const MechanismRun run(
        parse_model(thrown(fmt::format("floor = {{ position = \"{}\", one_sided = true, restitution = 0.3, friction = "
                                       "{{ coefficient = 0.1 }} }}",
                                       position)),
                    "test.toml"),
        2.5, 0.01, 1e-11, 1e-12);
    const double v = std::sqrt(2 * g * height), fall = v / g, flight = 2 * e * v / g;
    const double before = 1.5, between = before - mu * (1 + e) * v;
    const double all = fall + flight / (1 - e),
                 sliding = before - mu * (1 + e) * v / (1 - e);  // when all impacts are over
    double way = before * fall, left = before, up = v;
    for (int k = 0; k < 60; ++k) {
      left -= mu * (1 + e) * up;
      up *= e;
      way += left * 2 * up / g;
    }
    ASSERT_GT(sliding, 0.0);
    constexpr double located = 1e-8;   // events are located to about rtol; forces change there
    constexpr double rebounds = 1e-5;  // the last rebounds, too small to be told from rest, are taken as rest
    for (std::size_t k = 0; k < run.size(); ++k) {
      const double t = run["t"][k], speed = std::hypot(run["air.x'"][k], run["air.y'"][k]);
      const double x = std::hypot(run["air.x"][k], run["air.y"][k]);
      if (t < fall - 1e-6) {
        EXPECT_NEAR(speed, before, located) << t;
        EXPECT_NEAR(x, before * t, located) << t;
      } else if (t > fall + 1e-6 && t < fall + flight - 1e-6) {
        EXPECT_NEAR(speed, between, located) << t;
        EXPECT_NEAR(x, before * fall + between * (t - fall), located) << t;
      } else if (t > all + 0.05) {
        const double since = std::min(t - all, sliding / (mu * g));
        EXPECT_NEAR(speed, sliding - mu * g * since, rebounds) << t;
        EXPECT_NEAR(x, way + sliding * since - mu * g * since * since / 2, rebounds) << t;
      }
      EXPECT_NEAR(run["air.y"][k], 0.75 * run["air.x"][k], located) << t;  // friction is opposite to the velocity
    }
    EXPECT_NEAR(run["air.x'"].back(), 0.0, located);
    EXPECT_NEAR(run["force.floor_1"].back(), 0.0, rebounds);
  }
}

/// In the plane it slides along the only other coordinate; on a slope along the slope.
TEST(MarkerFriction, OnASlope) {
  const MechanismRun run(parse_model(R"toml(
    dimension = 2
    gravity = [0, -9.81]
    [body.block]
    mass = 2
    inertia = 0.1
    position = [0, 0]
    [joint]
    air = { free = ["ground", "block"], at = [0, 0] }
    [constraint]
    slope = { position = "0.6*block.centre.x + 0.8*block.centre.y", friction = { coefficient = 0.2 } }
  )toml",
                                     "test.toml"),
                         1.0, 0.1);
  const double a = g * (0.6 - 0.2 * 0.8);  // down the slope, (0.8, −0.6)
  for (std::size_t k = 0; k < run.size(); ++k) {
    const double t = run["t"][k];
    EXPECT_NEAR(run["air.x"][k], 0.8 * a * t * t / 2, 1e-9);  // rtol 1e-13 over some tens of steps
    EXPECT_NEAR(run["air.y"][k], -0.6 * a * t * t / 2, 1e-9);
  }
}

/// Three corners of four, the mass centre above the line of two of them: friction on the third, which bears nothing,
/// does not brake.
TEST(MarkerFriction, OnACornerThatBearsNothing) {
  const MechanismRun run(parse_model(R"toml(
    gravity = [0, 0, -9.81]
    [body.crate]
    shape = "box"
    size = [0.4, 0.3, 0.2]
    mass = 5
    position = [0, 0, 0.1]
    markers = { a = [0.2, 0.15, 0], b = [0.2, -0.15, 0], c = [-0.2, 0.15, 0] }
    [joint]
    air = { free = ["ground", "crate"], at = [0, 0, 0], speed = { x = 1.5 } }
    [constraint]
    floor_a = { position = "crate.a.z", one_sided = true, friction = { coefficient = 0.4 } }
    floor_b = { position = "crate.b.z", one_sided = true }
    floor_c = { position = "crate.c.z", one_sided = true }
  )toml",
                                     "test.toml"),
                         1.0, 0.1);
  for (std::size_t k = 0; k < run.size(); ++k)
    EXPECT_NEAR(run["air.x"][k], 1.5 * run["t"][k], 1e-10);  // rtol 1e-13
}

/// What the message says to write can be written.
TEST(MarkerFriction, OfTwoMarkersIsAskedFor) {
  const auto floor = [](const std::string& more) {
    return thrown(
        "floor = { position = \"crate.centre.z + 0*air.x\", one_sided = true, friction = { coefficient = 0.1" + more +
        " } }");
  };
  try {
    Simulation simulation(
        parse_model(thrown("floor = { position = \"crate.centre.z - 0.1 + 0.1*air.y\", one_sided = true, friction = { "
                           "coefficient = 0.1 } }"),
                    "test.toml"));
    (void)simulation.system();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not say how fast it slides"));
    EXPECT_THAT(error.what(), HasSubstr("add along = \"crate.centre.x'\""));
  }
  EXPECT_NO_THROW((void)Simulation(parse_model(floor(", along = \"crate.centre.x'\""), "test.toml")).system());
}

}  // namespace
}  // namespace maggi::test
