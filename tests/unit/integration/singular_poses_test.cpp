// Poses in which constraints become dependent: passed, locked, or left in more than one way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "integration/singular/gauss_points.hpp"
#include "manifold/singular_configuration.hpp"
#include "support/available.hpp"
#include "support/motion.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {
namespace {

using test::Motion;
using test::Recording;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

IntegrateOptions options_for(const std::string& integrator, double until) {
  IntegrateOptions options{.until = until, .output = until / 100, .integrator = integrator};
  if (integrator == "rk4") options.step = 1e-3;
  return options;
}

const std::vector<std::string> integrators = test::available({"dopri5", "dop853", "radau5", "rk4", "cvode-bdf"});

TEST(GaussPoints, AreExactForPolynomials) {
  const integration::GaussPoints points(10);
  for (int degree = 0; degree < 20; ++degree) {  // at the end twice as far as between
    Vector k(10);
    for (int j = 0; j < 10; ++j) k[j] = std::pow(points[j], degree);
    // rounding of sums of ten; the values of the polynomials between the points are up to ten
    EXPECT_NEAR(points.integrals(1.0).dot(k), 1.0 / (degree + 1), 1e-14) << degree;
    if (degree >= 10) continue;
    EXPECT_NEAR(points.integrals(0.3).dot(k), std::pow(0.3, degree + 1) / (degree + 1), 1e-14) << degree;
    EXPECT_NEAR(points.values(0.3).dot(k), std::pow(0.3, degree), 1e-13) << degree;
    EXPECT_NEAR(points.highest().dot(k), degree < 9 ? 0.0 : 1.0 / 48620, 1e-14) << degree;  // P_9 has C(18, 9) θ⁹
  }
}

/// Crank and rod of 1 m: at a = π/2 the rod lies on the crank, and could stay there; the motion goes on with b = −a.
/// `rod`: its length. With b = −a and s = 2 cos a the energy is that of one pendulum.
Model slider_crank(double rod = 1.0) {
  return Motion::from_text(R"toml(
    title = "Slider-crank"
    parameters = { l = )toml" +
                           std::to_string(rod) +
                           R"toml( }
    [coordinates]
    a = { start = 1.0, speed = 2.0 }
    b = { guess = -1.0 }
    s = { guess = 1.08 }
    [energy]
    kinetic = "a'^2/6 + b'^2*l^2/24 + ((-sin(a)*a' - l*sin(b)*b'/2)^2 + (cos(a)*a' + l*cos(b)*b'/2)^2)/2 + s'^2/2"
    potential = "9.81*(3*sin(a)/2 + l*sin(b)/2)"
    [constraint]
    across = { position = "cos(a) + l*cos(b) = s" }
    up = { position = "sin(a) + l*sin(b) = 0" })toml");
}

TEST(SingularPoses, SliderCrankThroughItsDeadCentre) {
  for (const std::string& integrator : integrators) {
    Motion motion(slider_crank());
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options_for(integrator, 3.0), recording);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << integrator << ": " << run.explanation;
    for (const test::Stored& s : recording.samples) {  // other integrators make errors of 1e-6 at these tolerances
      EXPECT_NEAR(s.q[1], -s.q[0], 1e-5) << integrator << ", t = " << s.t;
      EXPECT_NEAR(s.q[2], 2 * std::cos(s.q[0]), 1e-5) << integrator << ", t = " << s.t;
    }
    // a grows beyond π/2 and comes back: the rod lies on the crank where cos a = 0
    int crossings = 0;
    for (std::size_t k = 1; k < recording.samples.size(); ++k)
      crossings += std::cos(recording.samples[k].q[0]) * std::cos(recording.samples[k - 1].q[0]) < 0.0;
    ASSERT_GE(crossings, 2);
    ASSERT_EQ(run.events.size(), static_cast<std::size_t>(crossings)) << integrator;
    for (const EventRecord& event : run.events) {
      EXPECT_EQ(event.name, "singular configuration");
      EXPECT_THAT(event.what, AllOf(HasSubstr("\"up\" becomes dependent"), HasSubstr("rank 1 instead of 2")));
    }
    EXPECT_EQ(run.statistics.distance_to_singularity, 0.0);
  }
}

TEST(SingularPoses, ADeadCentreThatIsNoneIsNoEvent) {
  Motion motion(slider_crank(1.5));  // the rod is longer than the crank: all poses are regular
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for("dopri5", 3.0), recording);
  EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_THAT(run.events, IsEmpty());
}

/// Folds flat at a = 0 and π. The antiparallelogram branches off there; `length` of the second crank.
Model parallelogram(double angle, double speed, const std::string& length = "1") {
  Model model = Motion::from_text(R"toml(
    title = "Parallelogram"
    parameters = { r = )toml" + length +
                                  R"toml( }
    [coordinates]
    a = { start = 0.0, speed = 0.0 }
    b = { guess = 0.0 }
    c = { guess = 0.0 }
    [energy]
    kinetic = "a'^2/6 + r^2*c'^2/6 + a'^2 + 4*b'^2/3 + 2*a'*b'*cos(a - b)"
    potential = "9.81*(sin(a)/2 + r*sin(c)/2 + 2*(sin(a) + sin(b)))"
    [constraint]
    x = { position = "cos(a) + 2*cos(b) - r*cos(c) - 2" }
    y = { position = "sin(a) + 2*sin(b) - r*sin(c)" })toml");
  model.coordinates[0].start = angle;
  model.coordinates[0].speed = speed;
  model.coordinates[2].guess = angle;
  return model;
}

/// Cranks that differ a little part the branches: there is no pose, and the motion turns into an antiparallelogram.
TEST(SingularPoses, BranchesThatDoNotMeetAreNotJoined) {
  for (const char* length : {"1.01", "1.0001", "1.000001"}) {
    Motion motion(parallelogram(1.0, 5.0, length));
    Recording recording;
    const maggi::IntegrationResult run =
        motion.run(options_for("dopri5", 0.6), recording);  // the pose would be at 0.41 s
    ASSERT_EQ(run.outcome, Outcome::reached_end) << length << ": " << run.explanation;
    EXPECT_THAT(run.events, IsEmpty()) << length;
    EXPECT_GT(std::abs(recording.last().q[1]), 0.1) << length;  // b is no longer 0
  }
}

// with b = 0, c = a: 4/3 a'² + 29.43 sin a is conserved; it comes to rest where sin a = 0
TEST(SingularPoses, AMotionThatRestsInThePoseHasNoBranch) {
  const double speed = std::sqrt(29.43 * std::sin(1.0) * 3 / 4);
  for (const std::string& integrator : integrators) {
    Motion motion(parallelogram(-1.0, speed));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options_for(integrator, 2.0), recording);
    EXPECT_EQ(run.outcome, Outcome::singular) << integrator;
    EXPECT_THAT(run.explanation, HasSubstr("comes to rest in a singular configuration")) << integrator;
    // c' = 1 on both branches; of the antiparallelogram a' = −1/3, b' = 2/3: y' = 0 and zᵀγ = a'² + 2 b'² − c'² = 0
    EXPECT_THAT(run.explanation, HasSubstr("a' = 1, c' = 1")) << integrator;
    EXPECT_THAT(run.explanation, HasSubstr("a' = -0.3333, b' = 0.6667, c' = 1")) << integrator;
    EXPECT_NEAR(run.t, 0.4331, 1e-3) << integrator;
  }
}

Recording from_the_pose(const Vector& v, const IntegrateOptions& options, maggi::IntegrationResult& run) {
  const EquationSystem system(parallelogram(0.0, 0.0));
  Dynamics dynamics(system);
  Recording recording;
  run = integrate(dynamics, {0.0, Vector::Zero(3), v}, recording, options);
  return recording;
}

/// With b = 0, c = a it is one pendulum: 4/3 a'² + 29.43 sin a is conserved, a'' = −29.43·3/8 cos a.
TEST(SingularPoses, AStartInThePoseGoesOnAlongItsVelocities) {
  for (const std::string& integrator : integrators) {
    maggi::IntegrationResult run;
    const Recording recording =
        from_the_pose(Vector::Map(std::array{4.0, 0.0, 4.0}.data(), 3), options_for(integrator, 0.5), run);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << integrator << ": " << run.explanation;
    ASSERT_EQ(recording.samples.size(), 101u) << integrator;
    for (const test::Stored& s : recording.samples) {  // other integrators make errors of 1e-6 at these tolerances
      EXPECT_NEAR(s.q[1], 0.0, 1e-5) << integrator << ", t = " << s.t;
      EXPECT_NEAR(s.q[2], s.q[0], 1e-5) << integrator << ", t = " << s.t;
      EXPECT_NEAR(4.0 / 3.0 * s.v[0] * s.v[0] + 29.43 * std::sin(s.q[0]), 64.0 / 3.0, 1e-4) << integrator;
    }
    // also in the pose itself, where the equations do not tell it
    EXPECT_NEAR(recording.samples.front().vdot[0], -29.43 * 3.0 / 8.0, 1e-6) << integrator;
    ASSERT_EQ(run.events.size(), 1u) << integrator;
    EXPECT_EQ(run.events[0].t, 0.0);
    EXPECT_THAT(run.events[0].what, AllOf(HasSubstr("is left"), HasSubstr("rank 1 instead of 2"))) << integrator;
  }
}

/// The other branch, there and back: reversed, the motion passes the pose where it began.
TEST(SingularPoses, AStartInThePoseOnTheOtherBranchComesBack) {
  maggi::IntegrationResult run;
  const IntegrateOptions options{.until = 0.2, .output = 0.1, .rtol = 1e-11, .atol = 1e-12};
  const Recording there = from_the_pose(Vector::Map(std::array{-2.0, 4.0, 6.0}.data(), 3), options, run);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  const test::Stored& last = there.samples.back();
  EXPECT_GT(std::abs(last.q[2] - last.q[0]), 0.5);  // an antiparallelogram
  const EquationSystem system(parallelogram(0.0, 0.0));
  Dynamics dynamics(system);
  Recording back;
  IntegrateOptions longer = options;
  longer.until = 0.3;
  run = integrate(dynamics, {0.0, last.q, -last.v}, back, longer);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  // errors of two runs of rtol = 1e-11, some 100 steps
  EXPECT_LT(largest(back.samples[2].q), 1e-8);
  EXPECT_LT(largest(back.samples[2].v + there.samples[0].v), 1e-7);
}

TEST(SingularPoses, AStartInThePoseAlongNoBranchIsToldWithTheBranches) {
  maggi::IntegrationResult run;
  from_the_pose(Vector::Map(std::array{1.0, 0.1, 1.2}.data(), 3), {.until = 1.0}, run);
  EXPECT_EQ(run.outcome, Outcome::singular);
  EXPECT_THAT(run.explanation, AllOf(HasSubstr("along no branch"), HasSubstr("a' = 1, c' = 1"),
                                     HasSubstr("a' = -0.3333, b' = 0.6667, c' = 1")));
}

TEST(SingularPoses, AStartAtRestInThePoseIsToldWithTheBranches) {
  const EquationSystem system(parallelogram(0.0, 0.0));
  Dynamics dynamics(system);
  Recording recording;
  const State start{0.0, Vector::Zero(3), Vector::Zero(3)};
  const maggi::IntegrationResult run = integrate(dynamics, start, recording, {.until = 1.0});
  EXPECT_EQ(run.outcome, Outcome::singular);
  EXPECT_THAT(run.explanation, AllOf(HasSubstr("more than one motion leads"), HasSubstr("a' = 1, c' = 1"),
                                     HasSubstr("a' = -0.3333, b' = 0.6667, c' = 1")));
}

/// The parallelogram with each row twice: the row that is lost in the configuration is lost beside permanently
/// redundant rows. `third`: a crank of 1 m in the middle of the coupler, too, which an antiparallelogram has no place
/// for.
Model redundant_parallelogram(bool third) {
  const std::string motion = third ? " + d'^2/6" : "";
  return Motion::from_text(R"toml(
    title = "Parallelogram"
    [coordinates]
    a = { start = 0.0, speed = 0.0 }
    b = { guess = 0.0 }
    c = { guess = 0.0 })toml" +
                           std::string(third ? "\nd = { guess = 0.0 }\n" : "\n") +
                           R"toml(
    [energy]
    kinetic = "a'^2/6 + c'^2/6 + a'^2 + 4*b'^2/3 + 2*a'*b'*cos(a - b))toml" +
                           motion + R"toml("
    potential = "9.81*(sin(a)/2 + sin(c)/2 + 2*(sin(a) + sin(b)))"
    [constraint]
    x = { position = "cos(a) + 2*cos(b) - cos(c) - 2" }
    y = { position = "sin(a) + 2*sin(b) - sin(c)" }
    x_again = { position = "3*cos(a) + 6*cos(b) - 3*cos(c) - 6" }
    y_again = { position = "3*sin(a) + 6*sin(b) - 3*sin(c)" })toml" +
                           std::string(third ? R"toml(
    x_d = { position = "cos(a) + cos(b) - cos(d) - 1" }
    y_d = { position = "sin(a) + sin(b) - sin(d)" })toml"
                                             : ""));
}

std::vector<Vector> branches_of(bool third) {
  const EquationSystem system(redundant_parallelogram(third));
  Dynamics dynamics(system);
  const int n = third ? 4 : 3;
  const State flat{0.0, Vector::Zero(n), Vector::Zero(n)};
  dynamics.decide_rows(flat);
  std::vector<Vector> tangents;
  for (const auto& branch : integration::SingularConfiguration(dynamics, flat, 1e-4).branches())
    tangents.push_back(branch.tangent);
  return tangents;
}

TEST(SingularConfiguration, TangentsBesideRedundantRows) {
  // y' = 0 and zᵀγ = a'² + 2 b'² − c'² = 0, as without the redundant rows
  const std::vector<Vector> two = branches_of(false);
  ASSERT_EQ(two.size(), 2u);
  for (const Eigen::Vector3d& expected : {Eigen::Vector3d(1, 0, 1), Eigen::Vector3d(-1.0 / 3, 2.0 / 3, 1)})
    EXPECT_TRUE(std::ranges::any_of(two, [&](const Vector& v) { return (v / v[2] - expected).norm() < 1e-9; }));
  const std::vector<Vector> one = branches_of(true);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_LT((one[0] / one[0][2] - Eigen::Vector4d(1, 0, 1, 1)).norm(), 1e-9);  // Newton's method for it ends at 1e-12
}

TEST(SingularPoses, AStartInThePoseBesideRedundantRows) {
  for (const std::string& integrator : integrators) {
    const EquationSystem system(redundant_parallelogram(false));
    Dynamics dynamics(system);
    Recording recording;
    const State start{0.0, Vector::Zero(3), Eigen::Vector3d(4.0, 0.0, 4.0)};
    const maggi::IntegrationResult run = integrate(dynamics, start, recording, options_for(integrator, 0.5));
    ASSERT_EQ(run.outcome, Outcome::reached_end) << integrator << ": " << run.explanation;
    for (const test::Stored& s : recording.samples) {
      EXPECT_NEAR(s.q[2], s.q[0], 1e-5) << integrator << ", t = " << s.t;
      EXPECT_NEAR(4.0 / 3.0 * s.v[0] * s.v[0] + 29.43 * std::sin(s.q[0]), 64.0 / 3.0, 1e-4) << integrator;
    }
    ASSERT_EQ(run.events.size(), 1u) << integrator;
    EXPECT_THAT(run.events[0].what, AllOf(HasSubstr("is left"), HasSubstr("rank 1 instead of 2"))) << integrator;
  }
}

TEST(SingularPoses, AtRestBesideRedundantRowsTheBranchesAreTold) {
  const EquationSystem system(redundant_parallelogram(false));
  Dynamics dynamics(system);
  Recording recording;
  const State start{0.0, Vector::Zero(3), Vector::Zero(3)};
  const maggi::IntegrationResult run = integrate(dynamics, start, recording, {.until = 1.0});
  EXPECT_EQ(run.outcome, Outcome::singular);
  EXPECT_THAT(run.explanation, AllOf(HasSubstr("more than one motion leads"), HasSubstr("rank 1 instead of 2"),
                                     HasSubstr("a' = 1, c' = 1"), HasSubstr("a' = -0.3333, b' = 0.6667, c' = 1")));
}

/// One branch only: a'' = −29.43/(2·(4/3 + 1/6)) cos a with the third crank, from rest; after half a period it is at
/// rest in the pose again, and comes back.
TEST(SingularPoses, AtRestWhereThereIsOneBranchTheMotionGoesOn) {
  const EquationSystem system(redundant_parallelogram(true));
  Dynamics dynamics(system);
  Recording recording;
  const State start{0.0, Vector::Zero(4), Vector::Zero(4)};
  const maggi::IntegrationResult run = integrate(dynamics, start, recording, {.until = 1.5, .output = 0.05});
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  // rtol 1e-8 over some hundred steps; the energy is 29 times as large and loses two digits more
  EXPECT_NEAR(recording.samples[0].vdot[0], -29.43 / 3, 1e-6);
  for (const test::Stored& s : recording.samples) {
    EXPECT_NEAR(s.q[2], s.q[0], 1e-6) << s.t;
    EXPECT_NEAR(s.q[3], s.q[0], 1e-6) << s.t;
    EXPECT_NEAR(1.5 * s.v[0] * s.v[0] + 29.43 * std::sin(s.q[0]), 0.0, 1e-4) << s.t;
  }
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_THAT(run.events[0].what, HasSubstr("is left"));
}

TEST(SingularPoses, AMotionThatTurnsCloseToThePoseGoesOn) {
  const double speed = std::sqrt(29.43 * std::sin(1.0) * 3 / 4);
  Motion before(parallelogram(-1.0, 0.99 * speed));  // turns at sin a = −0.017
  Recording recording;
  const maggi::IntegrationResult run = before.run(options_for("dopri5", 2.0), recording);
  EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  EXPECT_THAT(run.events, IsEmpty());
  for (const test::Stored& s : recording.samples) EXPECT_NEAR(s.q[1], 0.0, 1e-6) << s.t;
}

/// Crank of 2 m, coupler and rocker of 1 m, ground of 1.5 m: a crank that is driven gets no further than where coupler
/// and rocker are in line, |2 e^(ia) − 1.5| = 2:  cos a = (4 + 2.25 − 4)/6 = 0.375. `more`: constraints.
void expect_lock(const std::string& more) {
  for (const std::string& integrator : integrators) {
    Motion motion(Motion::from_text(R"toml(
      title = "Driven beyond its range"
      [coordinates]
      a = { guess = 0.5 }
      b = { guess = 0.6 }
      c = { guess = 1.3 }
      [energy]
      kinetic = "a'^2/6 + b'^2/6 + c'^2/6"
      [constraint]
      x = { position = "2*cos(a) + cos(b) - cos(c) - 1.5" }
      y = { position = "2*sin(a) + sin(b) - sin(c)" }
      drive = { position = "a = 0.5 + t" }
      )toml" + more));
    Recording recording;
    const maggi::IntegrationResult run = motion.run(options_for(integrator, 3.0), recording);
    EXPECT_EQ(run.outcome, Outcome::singular) << integrator << ": " << run.explanation;
    EXPECT_THAT(run.explanation, AllOf(HasSubstr("locks"), HasSubstr("\"drive\""), HasSubstr("\"x\""))) << integrator;
    EXPECT_NEAR(run.t, std::acos(0.375) - 0.5, 1e-3) << integrator;  // it stops a step before the rows become dependent
  }
}

TEST(SingularPoses, AMechanismThatLocksSaysWho) { expect_lock(""); }

TEST(SingularPoses, BesideRedundantRowsAMechanismThatLocksSaysWho) {
  expect_lock(R"(again = { position = "2*cos(a) + cos(b) - cos(c) + 2*sin(a) + sin(b) - sin(c) - 1.5" })");
}

/// Driven through a dead centre exactly: s(t) has its maximum where the linkage is stretched.
TEST(SingularPoses, ADrivenSliderPassesItsDeadCentre) {
  Motion motion(Motion::from_text(R"toml(
    title = "Driven piston"
    [coordinates]
    a = { guess = 1.0 }
    b = { guess = -0.4 }
    s = { guess = 2.4 }
    [energy]
    kinetic = "a'^2/6 + b'^2/6 + s'^2/2"
    [constraint]
    across = { position = "cos(a) + 2*cos(b) = s" }
    up = { position = "sin(a) + 2*sin(b) = 0" }
    drive = { position = "s = 2 + cos(t + 1)" })toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for("dopri5", 10.0), recording);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  // s = 3 and s = 1 at t + 1 = π, 2π, 3π; the crank keeps turning
  ASSERT_EQ(run.events.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(run.events[k].t, std::acos(-1.0) * static_cast<double>(k + 1) - 1, 1e-7);
  EXPECT_GT(std::abs(recording.last().q[0]), 8.0);
}

/// Two lines through the origin, where the only row of C vanishes.
maggi::IntegrationResult on_two_lines(const Vector& v, const IntegrateOptions& options, Recording& recording) {
  const EquationSystem system(Motion::from_text(R"toml(
    title = "Two lines"
    [coordinates]
    x = {}
    y = {}
    [energy]
    kinetic = "x'^2/2 + y'^2/2"
    potential = "9.81*y"
    [constraint]
    lines = { position = "x^2 - y^2" })toml"));
  Dynamics dynamics(system);
  return integrate(dynamics, {0.0, Vector::Zero(2), v}, recording, options);
}

/// y = ±x, x'' = ∓9.81/2
TEST(SingularPoses, AStartWhereAllRowsVanishGoesOnAlongItsVelocities) {
  for (const std::string& integrator : integrators)
    for (const double side : {1.0, -1.0}) {
      Recording recording;
      const maggi::IntegrationResult run =
          on_two_lines(Eigen::Vector2d(2.0, 2.0 * side), options_for(integrator, 0.5), recording);
      ASSERT_EQ(run.outcome, Outcome::reached_end) << integrator << ": " << run.explanation;
      ASSERT_EQ(recording.samples.size(), 101u) << integrator;
      for (const test::Stored& s : recording.samples) {  // a parabola: what is left is that of the projection
        EXPECT_NEAR(s.q[0], 2.0 * s.t - side * 9.81 / 4 * s.t * s.t, 1e-7) << integrator << ", t = " << s.t;
        EXPECT_NEAR(s.q[1], side * s.q[0], 1e-7) << integrator << ", t = " << s.t;
        if (s.t > 0.0) {  // r = M v̇ − h = λ (2x, −2y)
          EXPECT_NEAR(s.lambda[0] * 2 * s.q[0], -side * 9.81 / 2, 1e-4) << integrator << ", t = " << s.t;
        }
      }
      EXPECT_NEAR(recording.samples.front().vdot[0], -side * 9.81 / 2, 1e-6) << integrator;
      ASSERT_EQ(run.events.size(), 1u) << integrator;
      const std::string other = side > 0 ? "x' = -1, y' = 1" : "x' = 1, y' = 1";
      EXPECT_EQ(run.events[0].what,
                "is left: \"lines\" becomes dependent, rank 0 instead of 1; another motion branches off here: " +
                    other + "; reactions are unbounded there");
    }
}

TEST(SingularPoses, AStartWhereAllRowsVanishAlongNoBranchIsToldWithTheBranches) {
  for (const Eigen::Vector2d& v : {Eigen::Vector2d(1.0, 0.5), Eigen::Vector2d(0.0, 0.0)}) {
    Recording recording;
    const maggi::IntegrationResult run = on_two_lines(v, {.until = 1.0}, recording);
    EXPECT_EQ(run.outcome, Outcome::singular);
    EXPECT_THAT(run.explanation, AllOf(HasSubstr("x' = 1, y' = 1"), HasSubstr("x' = -1, y' = 1"))) << run.explanation;
  }
}

/// A row that vanishes in a point of the way: no force, no reaction.
TEST(SingularPoses, WithoutForcesReactionsStayBounded) {
  Motion motion(Motion::from_text(R"toml(
    title = "Crossing"
    [coordinates]
    x = { start = -1.0, speed = 1.0 }
    y = { guess = 0.0 }
    [energy]
    kinetic = "x'^2/2 + y'^2/2"
    [constraint]
    cross = { position = "x*y" })toml"));
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options_for("rk4", 2.0), recording);
  EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  ASSERT_EQ(run.events.size(), 1u);
  // the motion is linear in t: what is left is the search for the configuration, and rounding over its distance
  EXPECT_NEAR(run.events[0].t, 1.0, 1e-9);
  EXPECT_EQ(run.events[0].what,
            "is crossed: \"cross\" becomes dependent, rank 0 instead of 1; another motion branches off here: y' = 1; "
            "reactions stay finite");
  for (const test::Stored& s : recording.samples) EXPECT_NEAR(s.lambda[0], 0.0, 1e-9);
}

}  // namespace
}  // namespace maggi
