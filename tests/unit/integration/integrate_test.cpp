#include "integration/integrate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "dynamics/dynamics.hpp"
#include "maggi/error.hpp"
#include "support/available.hpp"
#include "support/motion.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {
namespace {

using test::Motion;
using test::Recording;
using ::testing::HasSubstr;

Model pendulum() { return Motion::from_file("pendulum"); }

/// Options under which an integrator runs at all.
IntegrateOptions options_for(const std::string& integrator, double until, double output) {
  IntegrateOptions options;
  const IntegratorFacts& facts = integration::entry_of(integrator);
  options.integrator = integrator;
  options.until = until;
  options.output = output;
  if (facts.has_given_step()) options.step = 1e-3;
  if (!facts.projects) options.drift = Drift::none;
  return options;
}

// ---------------------------------------------------------------------------------------------------- options

std::string refusal(IntegrateOptions options) {
  Motion motion(pendulum());
  Recording recording;
  try {
    motion.run(options, recording);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::model);
    EXPECT_TRUE(recording.samples.empty());
    return error.what();
  }
  return "accepted";
}

template <class Enum>
std::string complaint(const char* name) {
  try {
    return fmt::format("accepted as {}", Choice<Enum>(name).name());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::model);
    return error.what();
  }
}

TEST(IntegrateOptions, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(complaint<Integrator>("dopri"), "no integrator is named \"dopri\" (did you mean \"dopri5\"?)");
  EXPECT_THAT(complaint<Drift>("projektion"), HasSubstr("did you mean \"projection\"?"));
  EXPECT_THAT(complaint<Unknowns>("tangents"), HasSubstr("did you mean \"tangent\"?"));
  EXPECT_THAT(complaint<Continuity>("warmstart"), HasSubstr("did you mean \"warm-start\"?"));
}

template <class Enum>
void expect_names_and_values_to_belong_together() {
  for (const std::string& name : choice_list<Enum>().names()) {
    const Choice<Enum> named = name;
    EXPECT_EQ(named.name(), name);
    EXPECT_EQ(Choice(named.value()), named);
  }
}

TEST(IntegrateOptions, EveryNameStandsForOneValue) {
  expect_names_and_values_to_belong_together<Integrator>();
  expect_names_and_values_to_belong_together<Drift>();
  expect_names_and_values_to_belong_together<Unknowns>();
  expect_names_and_values_to_belong_together<Continuity>();
}

TEST(IntegrateOptions, ProjectionWithAdamsIsRefusedWithTheReason) {
  if (!test::is_available("cvode-adams")) GTEST_SKIP() << "this build has no cvode-adams";
  EXPECT_THAT(refusal({.integrator = "cvode-adams"}), HasSubstr("hook for BDF only"));
  EXPECT_EQ(refusal({.integrator = "cvode-adams", .drift = "none"}), "accepted");
}

TEST(IntegrateOptions, AnIntegratorThatThisBuildDoesWithoutIsRefusedWithTheCauseAndWhatHelps) {
  for (const std::string name : {"cvode-bdf", "cvode-adams", "ida"}) {
    const std::string said = refusal({.integrator = name, .drift = "none"});
    if (test::is_available(name))
      EXPECT_EQ(said, "accepted") << name;
    else
      EXPECT_THAT(said, ::testing::AllOf(HasSubstr("integrator = " + name), HasSubstr("this build has no SUNDIALS"),
                                         HasSubstr("radau5"), HasSubstr("-DMAGGI_SUNDIALS=ON")));
  }
}

TEST(IntegrateOptions, FixedStepNeedsAStep) {
  EXPECT_THAT(refusal({.integrator = "rk4"}), HasSubstr("fixed step, and none is given"));
  EXPECT_THAT(refusal({.step = 0.1, .max_step = 0.01}), HasSubstr("larger than max_step"));
}

TEST(IntegrateOptions, NumbersThatMakeNoSenseAreRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal({.until = -1.0}), HasSubstr("before the start"));
  EXPECT_THAT(refusal({.until = inf}), HasSubstr("until"));
  EXPECT_THAT(refusal({.output = -0.1}), HasSubstr("output"));
  EXPECT_THAT(refusal({.output = nan}), HasSubstr("output"));
  EXPECT_THAT(refusal({.output = 1e-300}), HasSubstr("would store more than"));
  EXPECT_THAT(refusal({.rtol = 0.0}), HasSubstr("rtol"));
  EXPECT_THAT(refusal({.rtol = nan}), HasSubstr("rtol"));
  EXPECT_THAT(refusal({.atol = -1e-9}), HasSubstr("atol"));
  EXPECT_THAT(refusal({.atol = inf}), HasSubstr("atol"));
  EXPECT_THAT(refusal({.step = -1.0}), HasSubstr("step"));
  EXPECT_THAT(refusal({.max_step = 0.0}), HasSubstr("max_step"));
}

TEST(IntegrateOptions, AStartOfAnotherSystemIsRefused) {
  Motion motion(pendulum());
  Recording recording;
  motion.start.v = Vector::Zero(3);
  EXPECT_THROW(motion.run({}, recording), Error);
}

TEST(IntegrateOptions, NamesAreListed) {
  EXPECT_THAT(choice_list<Integrator>().names(),  // a model that names one of these stays valid
              ::testing::IsSupersetOf(
                  {"auto", "dopri5", "dop853", "radau5", "rk4", "cvode-bdf", "cvode-adams", "ida", "projected-bdf"}));
  // those of SUNDIALS are there together or not at all
  for (const IntegratorFacts& each : integration::integrators())
    EXPECT_EQ(each.available, !each.needs_sundials || test::is_available(Integrator::ida)) << each.name;
  EXPECT_THAT(choice_list<Drift>().names(), ::testing::ElementsAre("projection", "baumgarte", "pi", "none"));
}

// ---------------------------------------------------------------------------------------------------- stored states

std::vector<std::string> integrators_of_any_system() {
  std::vector<std::string> names;
  for (const IntegrateOptions& options : test::every_integrator(1.0)) names.emplace_back(options.integrator.name());
  return names;
}

class EveryIntegrator : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, EveryIntegrator, ::testing::ValuesIn(integrators_of_any_system()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EveryIntegrator, StoresExactlyTheGridFromTheStartToTheEnd) {
  Motion motion(pendulum());
  motion.start.t = 0.3;
  Recording recording;
  const double until = 1.05, output = 0.1;  // 7 intervals and a half
  const maggi::IntegrationResult run = motion.run(options_for(GetParam(), until, output), recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_EQ(run.t, until);
  EXPECT_TRUE(run.explanation.empty());
  ASSERT_EQ(recording.samples.size(), 9u);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(recording.samples[k].t, 0.3 + k * output);  // to the bit
  EXPECT_EQ(recording.last().t, until);
  EXPECT_EQ(recording.samples[0].q, motion.start.q);
  EXPECT_EQ(recording.samples[0].v, motion.start.v);
}

TEST_P(EveryIntegrator, ARoundNumberOfIntervalsHasNoExtraState) {
  Motion motion(pendulum());
  Recording recording;
  motion.run(options_for(GetParam(), 0.7, 0.1), recording);  // 0.7/0.1 = 6.999...; 7·0.1 > 0.7
  ASSERT_EQ(recording.samples.size(), 8u);
  EXPECT_EQ(recording.last().t, 0.7);
}

TEST_P(EveryIntegrator, StoresEveryStepIfNoGridIsGiven) {
  Motion motion(pendulum());
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for(GetParam(), 0.2, 0.0), recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end);
  EXPECT_EQ(static_cast<long>(recording.samples.size()), run.statistics.steps + 1);
  for (std::size_t k = 1; k < recording.samples.size(); ++k)
    EXPECT_LT(recording.samples[k - 1].t, recording.samples[k].t);
  EXPECT_EQ(recording.last().t, 0.2);
}

TEST_P(EveryIntegrator, ARunOfNoLengthStoresTheStart) {
  Motion motion(pendulum());
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for(GetParam(), 0.0, 0.1), recording);
  EXPECT_EQ(run.outcome, Outcome::reached_end);
  EXPECT_EQ(recording.samples.size(), 1u);
  EXPECT_EQ(run.statistics.steps, 0);
}

TEST_P(EveryIntegrator, StoredAccelerationsBelongToTheStoredStates) {
  Motion motion(pendulum());
  Recording recording;
  motion.run(options_for(GetParam(), 1.0, 0.05), recording);
  for (const test::Stored& s : recording.samples) {
    // by hand, m = l = 1: x'' = 2 x λ, y'' = 2 y λ − g, and x x'' + y y'' + x'² + y'² = 0
    const double x = s.q[0], y = s.q[1], vx = s.v[0], vy = s.v[1], g = 9.81;
    const double lambda = (g * y - vx * vx - vy * vy) / (2 * (x * x + y * y));
    EXPECT_NEAR(s.lambda[0], lambda, 1e-12);  // rounding of numbers of size 30
    EXPECT_NEAR(s.vdot[0], 2 * x * lambda, 1e-12);
    EXPECT_NEAR(s.vdot[1], 2 * y * lambda - g, 1e-12);
  }
}

TEST_P(EveryIntegrator, StoredStatesAreOnTheConstraints) {
  Motion motion(pendulum());
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for(GetParam(), 1.0, 0.03), recording);
  const bool projects = GetParam() != "cvode-adams";
  EXPECT_EQ(run.statistics.projections > run.statistics.steps, projects);
  for (const test::Stored& s : recording.samples) {
    // Projection stops at 1e-13 (1 + |q|), |q| ≤ 1, |v| ≤ 5; without it the drift follows rtol = 1e-8
    const double tolerance = projects ? 6e-13 : 1e-6;
    EXPECT_LE(s.residuals.position, tolerance);
    EXPECT_LE(s.residuals.velocity, tolerance);
  }
}

TEST_P(EveryIntegrator, CountsItsWork) {
  Motion motion(pendulum());
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for(GetParam(), 1.0, 0.1), recording);
  const Statistics& s = run.statistics;
  EXPECT_GT(s.steps, 10);
  EXPECT_GT(s.evaluations, s.steps);
  EXPECT_GT(s.smallest_step, 0.0);
  EXPECT_GE(s.largest_step, s.smallest_step);
  EXPECT_LE(s.largest_step, 1.0);
}

// ---------------------------------------------------------------------------------------------------- interrupt

TEST_P(EveryIntegrator, StopsAfterTheStepInWhichItIsInterrupted) {
  Motion motion(pendulum());
  Recording recording;
  std::atomic<bool> interrupt = false;
  double last = 0.0;
  IntegrateOptions options = options_for(GetParam(), 10.0, 0.1);
  options.interrupt = &interrupt;
  options.progress = [&](double t) {
    EXPECT_GT(t, last);
    last = t;
    if (t > 0.55) interrupt = true;
  };
  const maggi::IntegrationResult run = motion.run(options, recording);
  EXPECT_EQ(run.outcome, Outcome::interrupted);
  EXPECT_EQ(run.t, last);
  EXPECT_LT(run.t, 0.8);
  ASSERT_GE(recording.samples.size(), 7u);  // 0, 0.1 … 0.5 and where it stopped
  for (int k = 0; k < 6; ++k) EXPECT_EQ(recording.samples[k].t, k * 0.1);
  EXPECT_EQ(recording.last().t, run.t);
}

// ---------------------------------------------------------------------------------------------------- numbers fail

/// x'' = 6 x² has the solution 1/(1 − t)²: it ends at t = 1.
Model blow_up() {
  return Motion::from_text(R"toml(
    title = "Blow-up"
    [coordinates]
    x = { start = 1.0, speed = 2.0 }
    y = { start = 0.0, speed = 0.0 }
    [energy]
    kinetic = "x'^2/2 + y'^2/2"
    [generalised_force]
    x = "6*x^2")toml");
}

TEST_P(EveryIntegrator, ASolutionThatEndsIsReportedWithItsTimeAndItsCoordinate) {
  Motion motion(blow_up());
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for(GetParam(), 2.0, 0.1), recording);
  EXPECT_EQ(run.outcome, Outcome::step_too_small);
  EXPECT_NEAR(run.t, 1.0, 0.02);  // a fixed step overshoots until numbers overflow
  EXPECT_THAT(run.explanation, HasSubstr("at t = "));
  EXPECT_THAT(run.explanation, ::testing::AnyOf(HasSubstr("\"x"), HasSubstr("IDA"), HasSubstr("CVODE")));
  ASSERT_GE(recording.samples.size(), 10u);
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(recording.samples[k].t, k * 0.1);
    const double x = 1 / ((1 - 0.1 * k) * (1 - 0.1 * k));
    EXPECT_NEAR(recording.samples[k].q[0], x, 1e-3 * x);
  }
  for (const test::Stored& s : recording.samples) EXPECT_TRUE(s.q.allFinite() && s.v.allFinite() && s.vdot.allFinite());
}

TEST_P(EveryIntegrator, ARightSideThatIsNotFiniteIsReportedByName) {
  Motion motion(Motion::from_text(R"toml(
    title = "Root of a negative number"
    [coordinates]
    x = { start = 0.0, speed = 1.0 }
    [energy]
    kinetic = "x'^2/2"
    [generalised_force]
    x = "sqrt(1 - t)")toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for(GetParam(), 2.0, 0.1), recording);
  EXPECT_EQ(run.outcome, Outcome::step_too_small);
  EXPECT_NEAR(run.t, 1.0, 2e-3);  // rk4: within its step
  EXPECT_THAT(run.explanation, HasSubstr("the force on \"x'\" is not a finite number"));
  EXPECT_GE(recording.samples.size(), 10u);
  EXPECT_EQ(recording.last().t, run.t);
}

TEST_P(EveryIntegrator, ConstraintsThatCannotBeMetAnyLongerEndTheRun) {
  // x = √(1 − t) ends at t = 1, where the gradient 2 x vanishes
  Motion motion(Motion::from_text(R"toml(
    title = "A constraint that ends"
    [coordinates]
    x = { guess = 1.0 }
    y = { start = 0.0, speed = 1.0 }
    [energy]
    kinetic = "x'^2/2 + y'^2/2"
    [constraint]
    root = { position = "x^2 = 1 - t" })toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for(GetParam(), 2.0, 0.1), recording);
  EXPECT_NE(run.outcome, Outcome::reached_end);
  EXPECT_NE(run.outcome, Outcome::interrupted);
  EXPECT_NEAR(run.t, 1.0, 0.01);
  EXPECT_FALSE(run.explanation.empty());
}

// ---------------------------------------------------------------------------------------------------- rank

TEST(Integrate, RowsThatBecomeDependentAreNamed) {
  // the second row turns into the first: at t = 1 both say y = 0
  Motion motion(Motion::from_text(R"toml(
    title = "Two lines that close like scissors"
    [coordinates]
    x = { guess = 0.0 }
    y = { guess = 0.0 }
    z = { start = 0.0, speed = 1.0 }
    [energy]
    kinetic = "x'^2/2 + y'^2/2 + z'^2/2"
    [constraint]
    still = { position = "y" }
    blade = { position = "y - (1 - t)*x" }
    other = { velocity = "z' - 1" })toml"));
  for (const std::string& integrator : test::available({"dopri5", "dop853", "radau5", "rk4", "cvode-bdf"})) {
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options_for(integrator, 2.0, 0.1), recording);
    EXPECT_EQ(run.outcome, Outcome::reached_end) << integrator << ": " << run.explanation;
    ASSERT_EQ(run.events.size(), 1u) << integrator;
    EXPECT_THAT(run.events[0].what, HasSubstr("\"still\" and \"blade\" become dependent, rank 2 instead of 3"));
    EXPECT_NEAR(run.events[0].t, 1.0, 1e-7) << integrator;
    for (const test::Stored& s : recording.samples) EXPECT_NEAR(s.q[0], 0.0, 1e-7) << integrator << ", t = " << s.t;
  }
}

TEST(Integrate, AStartWhereTwoLinesCrossStaysOnItsOwn) {
  // x y = 0 at the origin: two lines cross, the rank is 0 there and 1 elsewhere
  EquationSystem system(Motion::from_text(R"toml(
    title = "Crossing"
    [coordinates]
    x = { start = 0.0, speed = 1.0 }
    y = { start = 0.0, speed = 0.0 }
    [energy]
    kinetic = "x'^2/2 + y'^2/2"
    [constraint]
    cross = { position = "x*y" })toml"));
  Dynamics dynamics(system);
  State start{0.0, Vector::Zero(2), Vector::Zero(2)};
  start.v[0] = 1.0;
  Recording recording;
  const maggi::IntegrationResult run = integrate(dynamics, start, recording, {.until = 1.0});
  EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  for (const test::Stored& s : recording.samples) {
    EXPECT_NEAR(s.q[0], s.t, 1e-12);  // a straight line, without error
    EXPECT_NEAR(s.q[1], 0.0, 1e-12);
  }
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].what,
            "is left: \"cross\" becomes dependent, rank 0 instead of 1; another motion branches off here: y' = 1; "
            "reactions stay finite");
}

/// Folds flat at a = 0 and π, where it could go on as an antiparallelogram; the motion stays a parallelogram, b = 0.
Model parallelogram(double speed) {
  Model model = Motion::from_text(R"toml(
    title = "Parallelogram"
    [coordinates]
    a = { start = 1.0 }
    b = { guess = 0.0 }
    c = { guess = 1.0 }
    [energy]
    kinetic = "a'^2/6 + c'^2/6 + a'^2 + 4*b'^2/3 + 2*a'*b'*cos(a - b)"
    potential = "9.81*(sin(a)/2 + sin(c)/2 + 2*(sin(a) + sin(b)))"
    [constraint]
    x = { position = "cos(a) + 2*cos(b) - cos(c) - 2" }
    y = { position = "sin(a) + 2*sin(b) - sin(c)" })toml");
  model.coordinates[0].speed = speed;
  return model;
}

TEST(Integrate, NeverJumpsToAnotherBranch) {
  for (const std::string& integrator : test::available({"dopri5", "dop853", "rk4", "cvode-bdf", "ida"})) {
    for (const double speed : {1.0, 3.0, 5.0, 7.0}) {
      Motion motion(parallelogram(speed));
      Recording recording;
      const maggi::IntegrationResult run = motion.run(options_for(integrator, 10.0, 0.1), recording);
      for (const test::Stored& s : recording.samples)
        EXPECT_LT(std::abs(s.q[1]), 1e-5) << integrator << ", t = " << s.t;
      if (run.outcome == Outcome::reached_end) {
        EXPECT_GE(run.events.size(), 12u) << integrator;
        continue;
      }
      EXPECT_EQ(integrator, "ida");  // its unknowns are multipliers too, which are unbounded there
      EXPECT_EQ(run.outcome, Outcome::singular) << run.explanation;  // it may end there with the reason
      EXPECT_THAT(run.explanation, HasSubstr("singular configuration is near: \"x\""));
    }
  }
}

TEST(Integrate, AStartThatCannotMeetTheConstraintsIsReported) {
  EquationSystem system(Motion::from_text(R"toml(
    title = "Nowhere"
    [coordinates]
    x = { start = 0.5 }
    y = { start = 0.0 }
    [energy]
    kinetic = "x'^2/2 + y'^2/2"
    [constraint]
    nowhere = { position = "x^2 + y^2 = -1" })toml"));
  Dynamics dynamics(system);
  const State start{0.0, Vector::Constant(2, 0.5), Vector::Zero(2)};
  Recording recording;
  const maggi::IntegrationResult run = integrate(dynamics, start, recording, {.until = 1.0});
  EXPECT_EQ(run.outcome, Outcome::constraints_lost);
  EXPECT_THAT(run.explanation, HasSubstr("the constraints cannot be met: \"nowhere\" has a residual of"));
  EXPECT_EQ(run.t, 0.0);
}

TEST(Integrate, RedundantRowsFollowTheMotion) {
  // turning all the way round: "rod" depends on the others; it is parallel to "up" where x = 0, to "right" where y = 0,
  // so that no choice of two rows is good everywhere
  const std::string wheel = R"toml(
    title = "A crank pin"
    [coordinates]
    x = { guess = 1.0 }
    y = { guess = 0.0 }
    s = { start = 0.3, speed = 8.0 }
    [energy]
    kinetic = "x'^2/2 + y'^2/2 + s'^2/10"
    potential = "9.81*y"
    [constraint]
    right = { position = "x = cos(s)" }
    up = { position = "y = sin(s)" })toml";
  Motion two(Motion::from_text(wheel)),
      three(Motion::from_text(wheel + "\n    rod = { position = \"x^2 + y^2 = 1\" }"));
  IntegrateOptions options{.until = 2.0, .output = 0.05, .rtol = 1e-10, .atol = 1e-12};
  Recording reference;
  ASSERT_EQ(two.run(options, reference).outcome, Outcome::reached_end);
  for (const std::string& integrator : test::available({"dopri5", "dop853", "radau5", "rk4", "cvode-bdf"})) {
    options.integrator = integrator;
    options.step = integrator == "rk4" ? 1e-4 : 0.0;
    Recording recording;
    const maggi::IntegrationResult run = three.run(options, recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << integrator << ": " << run.explanation;
    ASSERT_EQ(recording.samples.size(), reference.samples.size());
    for (std::size_t k = 0; k < reference.samples.size(); ++k)  // tolerance as in agreement/integrators_test.cpp
      EXPECT_NEAR((recording.samples[k].q - reference.samples[k].q).norm(), 0.0, 1e-6) << integrator;
  }
}

TEST(Integrate, ReportsHowCloseItCameToASingularity) {
  Motion motion(Motion::from_file("andrews_squeezer"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({.until = 0.01, .output = 0.001}, recording);
  EXPECT_LT(run.statistics.distance_to_singularity, 1.0);
  EXPECT_GT(run.statistics.distance_to_singularity, 1e-3);
}

TEST(Integrate, ARunThatWouldTakeTooManyStepsSaysHowMany) {
  Motion motion(pendulum());
  Recording recording;
  IntegrateOptions options;
  options.output = options.until = 1e12;  // in steps of some 0.02 s
  const maggi::IntegrationResult run = motion.run(options, recording);
  EXPECT_EQ(run.outcome, Outcome::step_too_small);
  EXPECT_THAT(run.explanation, HasSubstr("e+13 more; the fastest variable is"));
  options.output = options.until = 500.0;  // long, but it ends
  EXPECT_EQ(motion.run(options, recording).outcome, Outcome::reached_end);
}

TEST(Integrate, OutcomesHaveNames) {
  EXPECT_EQ(outcome_name(Outcome::reached_end), "reached the end");
  EXPECT_EQ(outcome_name(Outcome::step_too_small), "step too small");
  EXPECT_EQ(outcome_name(Outcome::constraints_lost), "constraints lost");
  EXPECT_EQ(outcome_name(Outcome::singular), "singular configuration");
  EXPECT_EQ(outcome_name(Outcome::interrupted), "interrupted");
}

TEST(Integrate, AnExceptionOfTheSinkArrives) {
  struct Throwing : Sink {
    void accept(const Sample& sample) override {
      if (sample.state.t > 0.5) throw std::runtime_error("disk full");
    }
  };
  for (const std::string& integrator : integrators_of_any_system()) {
    Motion motion(pendulum());
    Throwing sink;
    EXPECT_THROW(motion.run(options_for(integrator, 1.0, 0.1), sink), std::runtime_error) << integrator;
  }
}

}  // namespace
}  // namespace maggi
