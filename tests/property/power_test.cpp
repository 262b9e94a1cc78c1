// What drivers, constraints that move and controls give is what the energy gains.
#include <gtest/gtest.h>

#include "base/largest.hpp"
#include "io/toml/model_file.hpp"
#include "support/same_motion.hpp"
#include "support/two_arms.hpp"

namespace maggi::test {
namespace {

/// E(t) − E(0) = ∫ Σ power dt; `names`: the powers that there must be.
void expect_power(const std::string& toml, const std::vector<std::string>& names) {
  constexpr double h = 0.005;
  const MechanismRun run(parse_model(toml, "test.toml"), 1.0, h, fine_rtol, fine_atol);
  const std::vector<double> energy = run["energy.total"];
  std::vector<double> power(energy.size(), 0.0);
  for (const std::string& name : names) {
    const std::vector<double> each = run[name];
    for (std::size_t k = 0; k < each.size(); ++k) power[k] += each[k];
    EXPECT_GT(largest(each), 1e-3) << name;
  }
  // Boole's rule is right to h⁷ P⁽⁶⁾ 8/945 a panel, here 50 of them and frequencies of at most 20/s: below 1e-9
  double work = 0.0;
  Largest turned_over;
  for (std::size_t k = 4; k < energy.size(); k += 4) {
    work += 2.0 * h / 45.0 * (7 * (power[k - 4] + power[k]) + 32 * (power[k - 3] + power[k - 1]) + 12 * power[k - 2]);
    turned_over.note(energy[k] - energy[0]);
    ASSERT_NEAR(energy[k] - energy[0], work, 1e-8 * (1.0 + turned_over.value()))
        << "t = " << h * static_cast<double>(k);
  }
  EXPECT_GT(turned_over.value(), 0.01);
}

const std::string pendulum_on_a_cart = R"toml(
  [coordinates]
  x = {}
  y = {}
  th = { start = 0.4, speed = 0.5, unit = "rad" }
  [energy]
  kinetic = "x'^2 + y'^2 + ((x' + cos(th)*th')^2 + (y' + sin(th)*th')^2)/2"
  potential = "9.81*(2*y + y - cos(th))"
)toml";

TEST(Power, OfConstraintsThatMove) {
  expect_power(pendulum_on_a_cart + R"toml(
    [constraint]
    shaker = { position = "x = 0.2*sin(5*t)" }
    lift = { position = "y = x*sin(3*t)" }
  )toml",
               {"shaker.power", "lift.power"});
}

TEST(Power, OfConstraintsOnVelocitiesAndAccelerations) {
  expect_power(pendulum_on_a_cart + R"toml(
    [constraint]
    belt = { velocity = "x' = 0.3 + 0.1*y" }
    rocket = { acceleration = "y'' = 2*cos(4*t)" }
  )toml",
               {"belt.power", "rocket.power"});
}

TEST(Power, OfControls) {
  expect_power(pendulum_on_a_cart + R"toml(
    [constraint]
    path = { position = "x = 0.2*(1 - cos(3*t))", servo = true }
    rail = { position = "y = 0" }
    [control]
    F = { along = { x = 1 } }
  )toml",
               {"F.power"});
}

TEST(Power, OfConstraintsThatStandStillThereIsNone) {
  const MechanismRun run(
      parse_model(pendulum_on_a_cart + "[constraint]\nrail = { position = \"y = x/2\" }\n", "test.toml"), 0.1, 0.05);
  EXPECT_FALSE(run.has("rail.power"));
}

const std::string arms = two_arms + R"toml(
  [joint]
  shoulder = { revolute = ["ground", "upper"], at = [0, 0] }
  elbow = { revolute = ["upper", "lower"], at = [0.6, 0.1] }
)toml";

TEST(Power, OfDriversAndConstraintsOfAMechanism) {
  expect_power(arms + R"toml(
    [driver]
    motor = { joint = "shoulder", follows = "0.4*sin(3*t)" }
    [constraint]
    rope = { position = "sqrt(lower.tip.x^2 + lower.tip.y^2) = sqrt(1.25) - 0.1*t^2" }
  )toml",
               {"motor.power", "rope.power"});
  expect_power(arms + R"toml(
    [driver]
    hand = { marker = "lower.tip", follows = ["1.1 - 0.2*t^2", "-0.2 + 0.3*sin(t)"] }
  )toml",
               {"hand.power"});
}

}  // namespace
}  // namespace maggi::test
