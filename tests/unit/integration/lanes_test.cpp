// Eight states, and eight motions, side by side.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/largest.hpp"
#include "integration/lanes/lane_integrator.hpp"
#include "maggi/error.hpp"
#include "start/initial_conditions.hpp"
#include "support/motion.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {
namespace {

using test::Motion;
using test::Recording;
using ::testing::HasSubstr;

constexpr int lanes = Eight::lanes;

/// Parameters a little away from those of the model, another set for every seed.
std::vector<double> varied(const EquationSystem& system, unsigned seed) {
  std::vector<double> result = system.parameters();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> factor(0.99, 1.01);
  for (double& value : result) value *= factor(random);
  return result;
}

/// The start of a motion with other parameters.
State start_with(Motion& motion, const std::vector<double>& parameters) {
  motion.system.set_parameters(parameters, motion.dynamics.workspace());
  return find_initial_conditions(motion.dynamics, motion.system.start()).state;
}

std::vector<LaneJob> jobs(Motion& motion, int count) {
  std::vector<LaneJob> result;
  for (int i = 0; i < count; ++i) {
    std::vector<double> parameters = varied(motion.system, static_cast<unsigned>(i));
    State start = start_with(motion, parameters);
    result.push_back({std::move(parameters), std::move(start)});
  }
  return result;
}

/// Keeps all states of all jobs.
struct LaneRecording final : LaneSink {
  explicit LaneRecording(std::size_t count) : states(count), accelerations(count), runs(count) {}
  void accept(std::size_t job, const State& state, const Acceleration& acceleration) override {
    states[job].push_back(state);
    accelerations[job].push_back(acceleration);
  }
  void end(std::size_t job, const LaneRun& run) override { runs[job] = run; }

  std::vector<std::vector<State>> states;
  std::vector<std::vector<Acceleration>> accelerations;
  std::vector<LaneRun> runs;
};

/// Arrays of Eights from eight states, in motion.
struct Side {
  explicit Side(Motion& motion) : q(motion.start.q.size()), v(motion.start.v.size()) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> speed(-2.0, 2.0);
    for (int l = 0; l < lanes; ++l) {
      states.push_back(motion.start);
      states.back().t = t[l] = 0.01 * l;
      for (double& value : states.back().v) value = speed(random);
      for (std::size_t i = 0; i < q.size(); ++i) q[i][l] = states[l].q[i];
      for (std::size_t i = 0; i < v.size(); ++i) v[i][l] = states[l].v[i];
    }
  }
  Eight t;
  std::vector<Eight> q, v;
  std::vector<State> states;
};

TEST(LaneSystem, GivesTheBitsOfOneStateAtATime) {
  Motion motion(Motion::from_file("andrews_squeezer"));
  const auto workspace = motion.system.workspace();
  LaneSystem system(motion.system);
  const Side side(motion);
  for (int l = 0; l < lanes; ++l) system.set_parameters(l, varied(motion.system, static_cast<unsigned>(l)));
  system.acceleration(side.t, side.q.data(), side.v.data());
  system.position(side.t, side.q.data());
  system.velocity(side.t, side.q.data(), side.v.data());
  const Shape& shape = system.shape();
  for (int l = 0; l < lanes; ++l) {
    motion.system.set_parameters(varied(motion.system, static_cast<unsigned>(l)), *workspace);
    motion.system.position(side.states[l], *workspace);
    motion.system.velocity(side.states[l], *workspace);
    motion.system.acceleration(side.states[l], *workspace);
    const Terms& terms = workspace->terms;
    for (int k = 0; k < shape.M.size(); ++k) EXPECT_EQ(system.M(k)[l], terms.M[k]);
    for (int k = 0; k < shape.C.size(); ++k) EXPECT_EQ(system.C(k)[l], terms.C[k]);
    for (int i = 0; i < shape.n(); ++i) EXPECT_EQ(system.h(i)[l], terms.h[i]);
    for (int i = 0; i < shape.m(); ++i) EXPECT_EQ(system.gamma(i)[l], terms.gamma[i]);
    for (int i = 0; i < shape.s_p; ++i) EXPECT_EQ(system.f(i)[l], terms.f[i]);
    for (int i = 0; i < shape.s_p + shape.s_v; ++i) EXPECT_EQ(system.phi(i)[l], terms.phi[i]);
  }
}

class LanesOf : public testing::TestWithParam<const char*> {};

TEST_P(LanesOf, AgreeWithDynamics) {
  Motion motion(Motion::from_file(GetParam()));
  const Shape& shape = motion.system.shape();
  Lanes lane_motion(motion.system);
  const Side side(motion);
  std::vector<Eight> vdot(shape.n());
  EXPECT_EQ(lane_motion.accelerate(side.t, side.q.data(), side.v.data(), vdot.data()), 0);
  for (int l = 0; l < lanes; ++l) {
    motion.dynamics.decide_rows(side.states[l]);
    Acceleration exact;
    ASSERT_TRUE(motion.dynamics.solve(side.states[l], exact));
    const double tolerance = 1e-9;  // rounding over the smallest pivot that is no alarm, 1e-7
    for (int i = 0; i < shape.n(); ++i) EXPECT_NEAR(vdot[i][l], exact.vdot[i], tolerance * largest(exact.vdot));
    for (int i = 0; i < shape.m(); ++i)
      EXPECT_NEAR(lane_motion.lambda()[i][l], exact.lambda[i], tolerance * largest(exact.lambda));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, LanesOf,
                         testing::Values("andrews_squeezer", "pendulum", "moving_pendulum_driven", "chaplygin_sleigh",
                                         "acceleration_level"));

TEST(Lanes, ALaneDoesNotFeelTheOthers) {
  Motion motion(Motion::from_file("andrews_squeezer"));
  const int n = motion.system.shape().n();
  Lanes lane_motion(motion.system);
  Side side(motion);
  std::vector<Eight> vdot(n), again(n);
  lane_motion.accelerate(side.t, side.q.data(), side.v.data(), vdot.data());
  for (int i = 0; i < n; ++i)
    for (int l = 1; l < lanes; ++l) side.q[i][l] = l == 3 ? NAN : 1e5 * l;
  const LaneSet alarm = lane_motion.accelerate(side.t, side.q.data(), side.v.data(), again.data());
  EXPECT_TRUE(contains(alarm, 3));
  EXPECT_FALSE(contains(alarm, 0));
  for (int i = 0; i < n; ++i) EXPECT_EQ(again[i][0], vdot[i][0]);
}

// a residual that is not a number, in the first of two rows: the second one, which is met, must not hide it
TEST(Lanes, ARowThatIsNotANumberIsNotMet) {
  Motion motion(Motion::from_text(R"toml(
    [coordinates]
    x = { start = 1 }
    y = { start = 0 }
    z = { start = 0 }
    [energy]
    kinetic = "(x'^2 + y'^2 + z'^2)/2"
    [constraint]
    root = { position = "sqrt(x) - 1" }
    line = { position = "y" }
  )toml"));
  Lanes lane_motion(motion.system);
  const Eight t{};
  std::vector<Eight> q(3), v(3), vdot(3);
  for (int l = 0; l < lanes; ++l) q[0][l] = 1.0;
  lane_motion.accelerate(t, q.data(), v.data(), vdot.data());  // the factor that a projection uses
  q[0][2] = -1.0;
  EXPECT_EQ(lane_motion.project(t, q.data(), v.data(), 0xff), 1U << 2);
}

TEST(Lanes, RowsThatDependOnEachOtherAreAnAlarmOfTheirLane) {
  Motion motion(Motion::from_text(R"toml(
    [parameters]
    slope = 1
    [coordinates]
    x = { start = 0 }
    y = { start = 0 }
    z = {}
    [energy]
    kinetic = "(x'^2 + y'^2 + z'^2)/2"
    [constraint]
    first = { position = "x - y" }
    second = { position = "x - slope*y + z*(slope - 1)" }
  )toml"));
  Lanes lane_motion(motion.system);
  std::vector<Eight> q(3), v(3), vdot(3);
  const double slopes[lanes] = {2.0, 1.0, 3.0, 1.0 + 1e-9, 4.0, 5.0, 6.0, 7.0};
  for (int l = 0; l < lanes; ++l) lane_motion.set_parameters(l, {&slopes[l], 1});
  EXPECT_EQ(lane_motion.accelerate(Eight{}, q.data(), v.data(), vdot.data()), 1 << 1 | 1 << 3);
}

TEST(Lanes, ProjectionMeetsTheConstraints) {
  Motion motion(Motion::from_file("andrews_squeezer"));
  const Shape& shape = motion.system.shape();
  Lanes lane_motion(motion.system);
  LaneSystem system(motion.system);
  Side side(motion);
  std::vector<Eight> vdot(shape.n());
  for (Eight& q : side.q)
    for (int l = 0; l < lanes; ++l) q[l] += 1e-6 * (l + 1);
  const std::vector<Eight> before = side.q;
  lane_motion.accelerate(side.t, side.q.data(), side.v.data(), vdot.data());
  EXPECT_EQ(lane_motion.project(side.t, side.q.data(), side.v.data(), 0x7f), 0);
  system.position(side.t, side.q.data());
  system.velocity(side.t, side.q.data(), side.v.data());
  for (int l = 0; l < lanes - 1; ++l) {
    // rows of C have norms below 0.1 m here, lengths are below 0.1 m: rounding is 1e-17 m; speeds are of order one
    for (int i = 0; i < shape.s_p; ++i) EXPECT_LT(std::abs(system.f(i)[l]), 1e-15);
    for (int i = 0; i < shape.s_p; ++i) EXPECT_LT(std::abs(system.phi(i)[l]), 1e-14);
  }
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(side.q[i][7], before[i][7]) << "lane 7 was not asked for";
}

TEST(LaneIntegrator, MovesAsOneMotionAtATime) {
  Motion motion(Motion::from_file("andrews_squeezer"));
  const std::vector<LaneJob> all = jobs(motion, 11);
  const IntegrateOptions options{.until = 0.01, .output = 0.001};
  LaneRecording recording(all.size());
  LaneIntegrator(motion.system, options).run(all, recording);
  for (std::size_t j = 0; j < all.size(); ++j) {
    EXPECT_TRUE(recording.runs[j].finished);
    motion.system.set_parameters(all[j].parameters, motion.dynamics.workspace());
    motion.start = all[j].start;
    Recording one;
    motion.run(options, one);
    ASSERT_EQ(recording.states[j].size(), one.samples.size());
    for (std::size_t k = 0; k < one.samples.size(); ++k) {
      const State& state = recording.states[j][k];
      EXPECT_EQ(state.t, one.samples[k].t);
      // both have local errors of 1e-8 in some 300 steps; the crank turns 4 times, with up to 600 rad/s and 1e5 rad/s²
      EXPECT_LT(largest(state.q - one.samples[k].q), 1e-6);
      EXPECT_LT(largest(state.v - one.samples[k].v), 1e-3);
      const Vector& lambda = one.samples[k].lambda;
      EXPECT_LT((recording.accelerations[j][k].lambda - lambda).norm(), 1e-5 * lambda.norm());
    }
    EXPECT_EQ(recording.runs[j].last.q, recording.states[j].back().q);
  }
}

TEST(LaneIntegrator, AMotionHasTheSameBitsInAnyCompany) {
  Motion motion(Motion::from_file("andrews_squeezer"));
  const std::vector<LaneJob> all = jobs(motion, 19);
  const IntegrateOptions options{.until = 0.003, .output = 0.001};
  LaneRecording together(all.size());
  LaneIntegrator integrator(motion.system, options);
  integrator.run(all, together);
  std::vector<LaneJob> reversed(all.rbegin(), all.rend());
  LaneRecording backwards(all.size());
  integrator.run(reversed, backwards);
  for (std::size_t j = 0; j < all.size(); ++j) {
    LaneRecording alone(1);
    if (j % 6 == 0) {
      LaneIntegrator(motion.system, options).run({&all[j], 1}, alone);
      EXPECT_EQ(alone.runs[0].last.q, together.runs[j].last.q);
    }
    const auto& other = backwards.states[all.size() - 1 - j];
    ASSERT_EQ(other.size(), together.states[j].size());
    for (std::size_t k = 0; k < other.size(); ++k) {
      EXPECT_EQ(other[k].q, together.states[j][k].q);
      EXPECT_EQ(other[k].v, together.states[j][k].v);
    }
  }
}

TEST(LaneIntegrator, WithoutOutputTimesEveryStepIsStored) {
  Motion motion(Motion::from_file("pendulum"));
  const std::vector<LaneJob> all = jobs(motion, 3);
  LaneRecording recording(all.size());
  LaneIntegrator(motion.system, {.until = 1.0}).run(all, recording);
  for (std::size_t j = 0; j < all.size(); ++j) {
    EXPECT_EQ(recording.states[j].size(), static_cast<std::size_t>(recording.runs[j].statistics.steps) + 1);
    EXPECT_EQ(recording.states[j].front().t, 0.0);
    EXPECT_EQ(recording.states[j].back().t, 1.0);
  }
}

TEST(LaneIntegrator, SaysWhyNot) {
  const auto why = [](const char* model, const IntegrateOptions& options = {}) {
    return LaneIntegrator::why_not(EquationSystem(Motion::from_file(model)).shape(), options);
  };
  EXPECT_EQ(why("andrews_squeezer"), "");
  EXPECT_THAT(why("andrews_squeezer", {.integrator = "cvode-bdf"}), HasSubstr("cvode-bdf"));
  EXPECT_THAT(why("andrews_squeezer", {.drift = "baumgarte"}), HasSubstr("baumgarte"));
  EXPECT_THAT(why("bead_friction"), HasSubstr("laws"));
  EXPECT_THAT(why("bouncing_ball"), HasSubstr("one-sided"));
  EXPECT_THAT(why("acceleration_level_nonlinear"), HasSubstr("not linear in the accelerations"));
  const EquationSystem friction(Motion::from_file("bead_friction"));
  EXPECT_THROW(LaneIntegrator(friction, {}), Error);
}

}  // namespace
}  // namespace maggi
