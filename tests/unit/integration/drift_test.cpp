// Drift control: what each kind leaves of the constraints.
#include <gtest/gtest.h>

#include <cmath>

#include "base/largest.hpp"
#include "manifold/projection.hpp"
#include "support/motion.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

/// A pendulum whose guide x2 = rho sin x3 moves: time in a position and in a velocity constraint.
constexpr const char* moving_guide = R"toml(
parameters = { m = 2.0, J = 0.5, rho = 0.8 }
[coordinates]
x1 = { start = 0.3 }
x2 = {}
x3 = { start = 0.6, speed = -0.9 }
[energy]
kinetic = "m/2*(x1'^2 + x2'^2) + J/2*x3'^2"
potential = "9.81*m*x2"
[constraint]
guide = { position = "x2 - rho*sin(x3) - 0.1*sin(2*t)" }
belt = { velocity = "x1' - 0.3*cos(t)*x3' - 0.2" }
)toml";

double largest_position(const Recording& recording) {
  Largest residual;
  for (const Stored& s : recording.samples) residual.note(s.residuals.position);
  return residual.value();
}

Recording run(const Model& model, IntegrateOptions options) {
  Motion motion(model);
  Recording recording;
  EXPECT_EQ(motion.run(options, recording).outcome, Outcome::reached_end);
  return recording;
}

/// max |f| of the moving pendulum, classical method with dt = 0.01, 5 s: 4e-4 without control, 5e-6 with Baumgarte's
/// α = β = 20, rounding with projection. The figures have one digit; f is scaled by its row here.
TEST(Drift, ReproducesTheFiguresOfTheMovingPendulum) {
  const Model model = Motion::from_file("moving_pendulum_driven");
  IntegrateOptions options{.until = 5.0, .output = 0.0, .step = 0.01, .integrator = "rk4"};
  const auto largest_f = [&](const char* drift) {
    options.drift = drift;
    Largest f;
    const Recording recording = run(model, options);
    for (const Stored& s : recording.samples) f.note(s.q[1] - 0.8 * std::sin(s.q[2]));
    return f.value();
  };
  EXPECT_NEAR(largest_f("none"), 4e-4, 0.5e-4);  // the figure has one digit
  EXPECT_NEAR(largest_f("baumgarte"), 5e-6, 0.5e-6);
  EXPECT_LT(largest_f("projection"), Projection::default_tolerance);  // where the projection is content

  // carried on it ends at rounding: ε (|x2| + rho |x3|), x2 below 1 m, x3 a few turns
  options.drift = "projection";
  const EquationSystem system(model);
  const auto workspace = system.workspace();
  Projection exact(system, 1e-16);
  for (const Stored& s : run(model, options).samples) {
    State state{s.t, s.q, s.v};
    exact(state, *workspace);
    EXPECT_LT(std::abs(state.q[1] - 0.8 * std::sin(state.q[2])), 1e-15);  // see above
  }
}

TEST(Drift, PiFollowsItsClosedForm) {
  // f(0) = 0.05, ∫f = 0, G₁ = G₀ = 4, that is α = β = 2:  f = 0.05 (1 − 2t) exp(−2t)
  for (const char* unknowns : {"velocities", "tangent"}) {
    Motion motion(Motion::from_file("moving_pendulum_driven"));
    motion.start.q[1] += 0.05;
    IntegrateOptions options{.until = 3.0, .output = 0.1, .rtol = 1e-12, .atol = 1e-14};
    options.drift = "pi";
    options.alpha = options.beta = 2.0;
    options.unknowns = unknowns;
    Recording recording;
    ASSERT_EQ(motion.run(options, recording).outcome, Outcome::reached_end);
    for (const Stored& s : recording.samples)
      EXPECT_NEAR(s.q[1] - 0.8 * std::sin(s.q[2]), 0.05 * (1 - 2 * s.t) * std::exp(-2 * s.t), 3e-12) << s.t;
  }
}

/// Baumgarte's rows are damped oscillators: f̈ + 2α ḟ + β² f = 0 from f(0) = 0.05, ḟ(0) = 0, critically damped.
TEST(Drift, BaumgarteIsADampedOscillator) {
  for (const char* model : {"moving_pendulum_driven", ""}) {
    Motion motion(*model ? Motion::from_file(model) : Motion::from_text(moving_guide));
    const bool moving = !*model;
    motion.start.q[1] += 0.05;
    IntegrateOptions options{.until = 1.0, .output = 0.1, .rtol = 1e-12, .atol = 1e-14};
    options.drift = "baumgarte";
    options.alpha = options.beta = 5.0;
    Recording recording;
    ASSERT_EQ(motion.run(options, recording).outcome, Outcome::reached_end);
    for (const Stored& s : recording.samples) {
      const double f = s.q[1] - 0.8 * std::sin(s.q[2]) - (moving ? 0.1 * std::sin(2 * s.t) : 0.0);
      EXPECT_NEAR(f, 0.05 * (1 + 5 * s.t) * std::exp(-5 * s.t), 1e-11) << s.t;
    }
  }
}

/// A velocity row decays like exp(−2αt).
TEST(Drift, BaumgarteDampsVelocityRows) {
  Motion motion(Motion::from_text(moving_guide));
  motion.start.v[0] += 0.05;
  IntegrateOptions options{.until = 1.0, .output = 0.1, .rtol = 1e-12, .atol = 1e-14};
  options.drift = "baumgarte";
  options.alpha = options.beta = 5.0;
  Recording recording;
  ASSERT_EQ(motion.run(options, recording).outcome, Outcome::reached_end);
  for (const Stored& s : recording.samples)
    EXPECT_NEAR(s.v[0] - 0.3 * std::cos(s.t) * s.v[2] - 0.2, 0.05 * std::exp(-10 * s.t), 1e-11) << s.t;
}

TEST(Drift, EveryKindHoldsRheonomicConstraintsAndAgrees) {
  const Model model = Motion::from_text(moving_guide);
  IntegrateOptions options{.until = 2.0, .output = 0.1, .rtol = 1e-11, .atol = 1e-13};
  const Recording reference = run(model, options);
  for (const char* unknowns : {"velocities", "tangent"})
    for (const std::string& drift : choice_list<maggi::Drift>().names()) {
      SCOPED_TRACE(drift + " " + unknowns);
      if (drift == "baumgarte" && unknowns == std::string("tangent")) continue;  // refused
      options.drift = drift;
      options.unknowns = unknowns;
      const Recording other = run(model, options);
      ASSERT_EQ(other.samples.size(), reference.samples.size());
      for (std::size_t i = 0; i < reference.samples.size(); ++i) {
        EXPECT_LT((other.samples[i].q - reference.samples[i].q).norm(), 1e-9);
        EXPECT_LT((other.samples[i].v - reference.samples[i].v).norm(), 1e-9);
      }
      EXPECT_LT(largest_position(other), drift == "projection" ? 1e-14 : 1e-9);
    }
}

/// λ is that of the constraints, not of the stabilisation, wherever the state is.
TEST(Drift, StoredReactionsAreThoseOfTheConstraints) {
  Motion motion(Motion::from_file("moving_pendulum_driven"));
  motion.start.q[1] += 0.05;
  IntegrateOptions options{.until = 0.1, .output = 0.1};
  options.drift = "baumgarte";
  Recording recording;
  ASSERT_EQ(motion.run(options, recording).outcome, Outcome::reached_end);
  Acceleration expected;
  for (const Stored& s : recording.samples) {
    ASSERT_TRUE(motion.dynamics.solve(State{s.t, s.q, s.v}, expected));
    EXPECT_EQ((s.lambda - expected.lambda).norm(), 0.0);
  }
}

}  // namespace
}  // namespace maggi::test
