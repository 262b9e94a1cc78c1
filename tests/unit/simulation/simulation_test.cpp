// One object from a model to its results.
#include "maggi/simulation.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "maggi/error.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/files.hpp"
#include "maggi/text.hpp"
#include "support/source_tree.hpp"
#include "system/mechanism/functions/formula_mechanism.hpp"

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

/// q2 from 2 cos(q1) sin(q2) = 2 − sin(q1): the residual of the constraint has a rounding of 8ε, and its slope is 3.5.
TEST(Simulation, ValuesFoundForTheStartAreExactToRounding) {
  Simulation simulation(load(source_path("models/spatial_four_bar.toml")));
  simulation.set("q1", 0.5);
  EXPECT_NEAR(simulation.start().state.q[1], std::asin((2 - std::sin(0.5)) / (2 * std::cos(0.5))), 1e-15);
}

/// x = a cos(10 t): after a hundred periods it is a again.
TEST(Simulation, ASmallerRtolAloneTightensAtol) {
  const auto end = [](const std::string& amplitude) {
    return Simulation(load_text("[coordinates]\nx = { start = " + amplitude +
                                    ", speed = 0 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"50*x^2\"\n"
                                    "[simulation]\nuntil = \"20*pi\"\nrtol = 1e-12\n",
                                "oscillator.toml"))
        .run()["x"]
        .back();
  };
  // atol/a = 1e-8 local, error of the order 10 of frequency × time × that to the power 4/5; with atol = 1e-10 it is
  // 2e-3
  EXPECT_NEAR(end("1e-6"), 1e-6, 1e-6 * 1e-4);
  EXPECT_NEAR(end("1.0"), 1.0, 1e-8);  // rtol = 1e-12 local, as before
}

TEST(Simulation, NumbersWithUnitsAreThoseOfTheSi) {
  const auto end = [](const char* length, const char* start, const char* until) {
    const std::string text = fmt::format(
        "dimension = 2\ngravity = [0, -9.81]\n[parameters]\nl = {}\n[body.a]\nshape = \"rod\"\nmass = 1\nfrom = [0, "
        "0]\nto = [\"l\", 0]\n[joint]\nh = {{ revolute = [\"ground\", \"a\"], at = [0, 0], start = {} "
        "}}\n[simulation]\nuntil = {}\n",
        length, start, until);
    return Simulation(load_text(text, "rod.toml")).run()["h.angle"].back();
  };
  const double expected = end("0.25", "\"-pi/6\"", "0.5");
  // the factors are exact to a rounding, the motion is short
  EXPECT_NEAR(end("{ value = 250, unit = \"mm\" }", "\"-30 deg\"", "{ value = 500, unit = \"ms\" }"), expected, 1e-12);
  EXPECT_NEAR(end("\"25 cm\"", "{ value = -30, unit = \"deg\" }", "\"0.5 s\""), expected, 1e-12);
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

/// The steps do not depend on the times asked for: the same bits as those of a whole run.
void expect_same_motion(Simulation& simulation, const RunOptions& options, double spacing, const std::string& channel) {
  RunOptions stored = options;
  stored.output = spacing;
  const Motion whole = simulation.run(stored);
  maggi::Run run = simulation.begin(options);
  const std::span<const double> t = whole["t"], values = whole[channel];
  ASSERT_GT(whole.size(), 5u);
  for (std::size_t i = 1; i < whole.size(); ++i) {
    if (t[i] == t[i - 1]) continue;  // before and after an event
    const bool under_way = run.advance(t[i]);
    ASSERT_EQ(run.t(), t[i]) << i;
    if (i + 1 < whole.size() && t[i + 1] == t[i]) continue;
    EXPECT_EQ(run[channel], values[i]) << i;
    EXPECT_EQ(under_way, i + 1 < whole.size());
  }
  EXPECT_EQ(run.outcome(), whole.outcome());
}

TEST(Simulation, StepByStepIsTheSameMotion) {
  Simulation simulation(pendulum());
  for (const char* integrator : {"dopri5", "dop853", "radau5", "rk4", "auto"}) {
    SCOPED_TRACE(integrator);
    RunOptions options{.integrator = integrator};
    if (options.integrator == "rk4") options.step = 0.003;
    expect_same_motion(simulation, options, 0.1, "a");
  }
}

TEST(Simulation, StepByStepIsTheSameMotionOfAMechanism) {
  Simulation simulation(load(source_path("models/four_bar.toml")));
  expect_same_motion(simulation, {.until = 0.5}, 0.01, simulation.system().shape().coordinates[0].name);
}

/// x'' = F with F constant in each step: x and x' follow in closed form.
TEST(Simulation, InputsActFromTheTimeTheyAreSet) {
  const Model model = load_text(R"toml(
[parameters]
F = 0.0
[coordinates]
x = { start = 0, speed = 1 }
[energy]
kinetic = "1/2*x'^2"
[generalised_force]
x = "F"
[simulation]
until = 2
)toml",
                                "input.toml");
  Simulation simulation(model);
  maggi::Run run = simulation.begin();
  double x = 0.0, v = 1.0, t = 0.0;
  for (const double F : {0.0, 2.0, -3.0, 0.5}) {
    const double h = 0.4;
    ASSERT_TRUE(run.advance(t += h, {{"F", F}}));
    x += v * h + F * h * h / 2;
    v += F * h;
    EXPECT_NEAR(run["x"], x, 1e-12);  // a polynomial of degree 2: exact but for rounding
    EXPECT_NEAR(run["x'"], v, 1e-12);
  }
  EXPECT_FALSE(run.advance(2.0));
  EXPECT_THROW(run.set("G", 1.0), Error);
}

/// φ'' = τ/J of a disc on a pin: the same from bodies and joints.
TEST(Simulation, InputsActOnMechanisms) {
  Simulation simulation(load_text(R"toml(
dimension = 2
[parameters]
torque = 0.0
[body.disc]
mass = 2.0
inertia = 0.5
position = [0, 0]
[joint]
pin = { revolute = ["ground", "disc"], at = [0, 0], speed = 0 }
[force]
motor = { joint = "pin", torque = "torque" }
[simulation]
until = 2
)toml",
                                  "disc.toml"));
  maggi::Run run = simulation.begin();
  ASSERT_TRUE(run.advance(0.5, {{"torque", 1.0}}));   // φ = ½ 2 t²
  ASSERT_TRUE(run.advance(1.0, {{"torque", -1.0}}));  // comes to rest
  EXPECT_NEAR(run["pin.angle'"], 0.0, 1e-12);
  EXPECT_NEAR(run["pin.angle"], 0.5, 1e-12);  // 2 · ½ 2 0.5²
}

TEST(Simulation, InputsThatContradictTheStateAreRefused) {
  Simulation simulation(load_text(R"toml(
[parameters]
l = 1.0
[coordinates]
x = { start = 0.6, speed = 0 }
y = { guess = -0.8 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraint]
rod = { position = "x^2 + y^2 = l^2" }
[simulation]
until = 2
)toml",
                                  "rod.toml"));
  maggi::Run run = simulation.begin();
  ASSERT_TRUE(run.advance(0.5));
  run.set("l", 1.1);
  EXPECT_THROW(run.advance(1.0), Error);
  run.set("l", 1.0);
  EXPECT_TRUE(run.advance(1.0));
}

TEST(Simulation, ASnapshotIsGoneBackTo) {
  Simulation simulation(pendulum());
  maggi::Run run = simulation.begin();
  run.advance(0.3);
  const maggi::Run::Snapshot snapshot = run.snapshot();
  run.advance(0.7);
  const double straight = run["a"];
  run.restore(snapshot);
  EXPECT_EQ(run.t(), 0.3);
  EXPECT_EQ(run["a"], snapshot.state.q[0]);
  run.advance(0.7);
  const double first = run["a"];
  EXPECT_NEAR(first, straight, 1e-8);  // a hundred local errors of 1e-10: the integrator has begun again
  while (run.advance(2.0)) {}
  run.restore(snapshot);  // also after the end
  run.advance(0.7);
  EXPECT_EQ(run["a"], first);
}

TEST(Simulation, CopiesShareWhatWasComputedAndGoTheirOwnWay) {
  Simulation original(pendulum());
  const double before = original.run()["a"].back();
  std::vector<double> ends(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ends.size(); ++i)
    threads.emplace_back([&ends, i, copy = original]() mutable {
      copy.set("l", 1.0 + static_cast<double>(i));
      ends[i] = copy.run()["a"].back();
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(ends[0], before);
  EXPECT_EQ(original.run()["a"].back(), before);
  EXPECT_NEAR(ends[3], original.run({.until = 0.5})["a"].back(), 1e-8);  // as in the first test
  for (std::size_t i = 1; i < ends.size(); ++i) EXPECT_NE(ends[i], ends[i - 1]);
}

/// Numbers that are part of the shape follow, too: restitution, friction that makes no sense, conserved energy.
TEST(Simulation, NumbersThatTheDerivationLooksAtAreLookedAtAgain) {
  Simulation ball(load_text(R"toml(
[parameters]
e = 0.0
[coordinates]
z = { start = 1, speed = 0 }
[energy]
kinetic = "1/2*z'^2"
potential = "9.81*z"
[constraint]
floor = { position = "z", one_sided = true, restitution = "e" }
[simulation]
until = 0.8
)toml",
                            "ball.toml"));
  EXPECT_NEAR(ball.run()["z"].back(), 0.0, 1e-9);
  ball.set("e", 1.0);
  const double fall = std::sqrt(2 / 9.81), up = 0.8 - fall, v = 9.81 * fall;
  EXPECT_NEAR(ball.run()["z"].back(), v * up - 9.81 * up * up / 2, 1e-7);  // error of the time of the impact
  EXPECT_TRUE(ball.run().summary().energy_drift.has_value());
  EXPECT_THROW((ball.set("e", 1.5), ball.run()), Error);
}

/// A cart on a spring with a stop, driven by a force, a pendulum with friction in its pin: numbers that are part of
/// formulas are parameters there, so that another value leaves the formulas as they were derived.
TEST(Simulation, FormulasOfAMechanismAreNotDerivedAgain) {
  Model model = load_text(R"toml(
dimension = 2
gravity = [0, -9.81]
[parameters]
k = 40
end = 0.5
stop = 1000
r = 0.02
m = 1
amplitude = 20
[body.cart]
mass = 2
inertia = 1
position = [0, 0]
[body.rod]
shape = "rod"
mass = "m"
from = [0, 0]
to = [0, -1]
[joint]
rail = { prismatic = ["ground", "cart"], at = [0, 0], axis = [1, 0], limits = { upper = "end", stiffness = "stop", damping = "stop/100" } }
pin = { revolute = ["cart", "rod"], at = [0, 0], start = 0.4, friction = { coefficient = 0.3, radius = "r" } }
[force]
spring = { joint = "rail", stiffness = "k", force = "amplitude*sin(3*t)" }
[simulation]
until = 1
)toml",
                          "cart.toml");
  Simulation simulation(model);
  const auto formulas = [](Simulation& of) -> const EquationSystem& {
    return dynamic_cast<const mechanism::FormulaMechanism&>(of.system()).formulas();
  };
  (void)simulation.start();
  Simulation first = simulation;
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"k", 60}, {"end", 0.4}, {"stop", 800}, {"r", 0.03}, {"m", 1.5}, {"amplitude", 25}}) {
    simulation.set(name, value);
    find_parameter(model, name, {}).value = value;
  }
  EXPECT_TRUE(formulas(simulation).shares_with(formulas(first)));
  Simulation anew(model);
  EXPECT_FALSE(formulas(anew).shares_with(formulas(first)));
  const Motion motion = simulation.run(), expected = anew.run();
  ASSERT_EQ(motion.outcome(), Outcome::reached_end) << motion.explanation();
  for (const char* channel : {"rail.distance", "pin.angle", "energy.total", "force.pin"})
    EXPECT_EQ(motion[channel].back(), expected[channel].back()) << channel;  // the same formulas and numbers
}

TEST(Simulation, ANumberThatDecidesWhatTheFormulasAreHasThemDerivedAgain) {
  Model model = load_text(R"toml(
dimension = 2
[parameters]
d = 0
[body.cart]
mass = 2
inertia = 1
position = [0, 0]
[joint]
rail = { prismatic = ["ground", "cart"], at = [0, 0], axis = [1, 0], start = 0.1, speed = 1 }
[force]
damper = { joint = "rail", damping = "d", force = "0*t" }
[simulation]
until = 1
)toml",
                          "cart.toml");
  Simulation simulation(model);
  EXPECT_NEAR(simulation.run()["rail.distance'"].back(), 1.0, 1e-12);  // nothing brakes it: rounding
  simulation.set("d", 2.0);
  EXPECT_NEAR(simulation.run()["rail.distance'"].back(), std::exp(-1.0), 1e-7);  // rtol 1e-8, a few steps
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
  std::atomic<bool> enough = false, begun = false;
  RunOptions options{.until = 1e6};
  options.interrupt = &enough;
  options.progress = [&](double t) { begun = t > 0.5; };
  std::thread other([&] {
    while (!begun) std::this_thread::yield();
    enough = true;
  });
  const Motion motion = simulation.run(options);
  other.join();
  EXPECT_EQ(motion.outcome(), Outcome::interrupted);
  EXPECT_GT(motion.size(), 0u);
  EXPECT_GT(motion.summary().t, 0.5);
}

TEST(Simulation, AnotherThreadMayEndARunUnderWay) {
  Simulation simulation(pendulum());
  std::atomic<bool> enough = false;
  RunOptions options{.until = 1e6};
  options.interrupt = &enough;
  maggi::Run run = simulation.begin(options);
  ASSERT_TRUE(run.advance(1.0));
  std::thread other([&] { enough = true; });
  while (run.advance(run.t() + 10.0)) {}
  other.join();
  EXPECT_EQ(run.outcome(), Outcome::interrupted);
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

/// ½ m l² a'² − m g l cos a at any state: M = l², h = −g l sin a.
TEST(Simulation, EquationsAreThoseOfTheState) {
  Simulation simulation(pendulum());
  State state = simulation.start().state;
  state.q[0] = 0.7;
  const EquationsOfMotion at = simulation.equations(state);
  EXPECT_EQ(at.velocities, std::vector<std::string>{"a"});
  EXPECT_TRUE(at.constraints.empty());
  EXPECT_DOUBLE_EQ(at.M(0, 0), 1.0);
  EXPECT_DOUBLE_EQ(at.h[0], -9.81 * std::sin(0.7));
  EXPECT_EQ(at.D.cols(), 1);
  EXPECT_FALSE(at.formulas);
  ASSERT_TRUE(simulation.equations({.formulas = true}).formulas);
  state.q.resize(3);
  EXPECT_THROW(simulation.equations(state), Error);
}

TEST(Simulation, EquationsOfAMechanismHaveItsNames) {
  Simulation simulation(load(source_path("models/four_bar.toml")));
  const EquationsOfMotion at = simulation.equations();
  EXPECT_EQ(at.M.rows(), static_cast<Eigen::Index>(at.velocities.size()));
  EXPECT_EQ(at.C.rows(), static_cast<Eigen::Index>(at.constraints.size()));
  EXPECT_EQ(at.D.cols(), 1);
  EXPECT_LT((at.C * at.D).cwiseAbs().sum(), 1e-13);  // rounding of C of size 1
  EXPECT_FALSE(simulation.equations({.formulas = true}).formulas);
  EXPECT_THROW(to_latex(at), Error);
}

}  // namespace
}  // namespace maggi::test
