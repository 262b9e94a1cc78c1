// One object from a model to its results.
#include "maggi/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "maggi/error.hpp"
#include "maggi/files.hpp"
#include "maggi/text.hpp"
#include "support/source_tree.hpp"

namespace maggi::test {
namespace {

using testing::HasSubstr;

Model pendulum() {
  return load_text(R"toml(
[parameters]
l = 1.0
[coordinates]
a = { start = 0.4, speed = 0 }
[energy]
kinetic = "1/2*l^2*a'^2"
potential = "-9.81*l*cos(a)"
[simulation]
until = 1
rtol = 1e-10
atol = 1e-12
)toml",
                   "pendulum.toml");
}

/// Small oscillations have the period 2π√(l/g); the second term of the series in the amplitude is 0.4²/16.
TEST(Simulation, AParameterThatIsSetChangesTheMotion) {
  Simulation simulation(pendulum());
  const double before = simulation.run()["a"].back();
  simulation.set("l", 4.0);
  EXPECT_EQ(simulation.model().parameters[0].value.text, "4");
  const double after = simulation.run()["a"].back();
  simulation.set("l", 1.0);
  EXPECT_EQ(simulation.run()["a"].back(), before);  // the same numbers, the same bits
  // a'' = −(g/l) sin a: with four times the length the motion of time 1 is that of time 1/2 with the first
  EXPECT_NEAR(after, simulation.run({.until = 0.5})["a"].back(), 1e-8);  // ten times the local error of 100 steps
}

TEST(Simulation, AStartValueThatIsSetIsTheStart) {
  Simulation simulation(pendulum());
  simulation.set("a", -0.25);
  simulation.set("a'", 0.5);
  const Motion motion = simulation.run();
  EXPECT_EQ(motion["a"].front(), -0.25);
  EXPECT_EQ(motion["a'"].front(), 0.5);
}

TEST(Simulation, NamesThatDoNotExistAreRefusedWithTheNearest) {
  Simulation simulation(pendulum());
  EXPECT_THROW(simulation.set("b", 1.0), Error);
  const Motion motion = simulation.run();
  try {
    (void)motion["energy.totl"];
    FAIL() << "a channel that does not exist was given";
  } catch (const Error& error) { EXPECT_THAT(error.what(), HasSubstr("did you mean \"energy.total\"?")); }
}

TEST(Simulation, StepByStepIsTheSameMotion) {
  Simulation simulation(pendulum());
  const Motion whole = simulation.run({.output = 0.1});
  maggi::Run run = simulation.begin();
  std::size_t i = 0;
  bool under_way = true;
  while (under_way) {
    under_way = run.advance(0.1 * static_cast<double>(++i));
    ASSERT_LT(i, whole.size());
    EXPECT_NEAR(run["a"], whole["a"][i], 1e-8) << i;  // each is within a hundred local errors of 1e-10
    EXPECT_NEAR(run.t(), whole["t"][i], 1e-12);
  }
  EXPECT_EQ(i + 1, whole.size());
  EXPECT_EQ(run.outcome(), Outcome::reached_end);
}

TEST(Simulation, ARunUnderWayPassesEventsLikeAWholeOne) {
  // a ball on a stop: t₁ = √(2h/g), then it rests
  const Model model = load_text(R"toml(
[coordinates]
z = { start = 1, speed = 0 }
[energy]
kinetic = "1/2*z'^2"
potential = "9.81*z"
[constraint]
floor = { position = "z", one_sided = true, restitution = 0 }
[simulation]
until = 1
)toml",
                                "ball.toml");
  Simulation simulation(model);
  maggi::Run run = simulation.begin();
  while (run.advance(run.t() + 0.05)) {}
  ASSERT_FALSE(run.events().empty());
  EXPECT_NEAR(run.events().front().t, std::sqrt(2 / 9.81), 1e-8);
  EXPECT_NEAR(run["z"], 0.0, 1e-9);
  EXPECT_NEAR(run["lambda.floor"], 9.81, 1e-8);
}

TEST(Simulation, AnotherThreadMayEndIt) {
  Simulation simulation(pendulum());
  std::atomic<bool> enough = false;
  RunOptions options{.until = 1e6};
  options.interrupt = &enough;
  options.progress = [&](double t) { enough = t > 0.5; };
  const Motion motion = simulation.run(options);
  EXPECT_EQ(motion.outcome(), Outcome::interrupted);
  EXPECT_GT(motion.size(), 0u);
}

TEST(Simulation, AMotionOutlivesItsSimulation) {
  const Motion motion = Simulation(pendulum()).run();
  EXPECT_GT(motion.size(), 10u);
  EXPECT_THAT(to_text(motion), HasSubstr("reached the end"));
}

TEST(Simulation, TheCheckOfAMechanismCountsItsJoints) {
  Simulation simulation(load(source_path("models/four_bar.toml")));
  const Check& check = simulation.check();
  EXPECT_EQ(check.degrees_of_freedom(), 1);
  EXPECT_EQ(check.constraints(), 8);  // four pins in the plane
  EXPECT_EQ(check.rank(), 8);
  EXPECT_TRUE(check.redundant().empty());
  EXPECT_EQ(&simulation.check(), &check);  // computed once
}

}  // namespace
}  // namespace maggi::test
