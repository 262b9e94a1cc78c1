// One model of each class of constraint, against equations without multipliers that are derived here by hand, and
// against closed solutions and first integrals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "maggi/expert/formulations.hpp"
#include "results/multipliers.hpp"
#include "support/motion.hpp"

namespace maggi {
namespace {

using test::Motion;
using test::Recording;

/// rtol of maggi; what it gives is compared to `accuracy`, a thousand times as much: errors grow along the motion.
constexpr double rtol = 1e-12, accuracy = 1e-9;

/// ẏ = f(t, y) by the classical method of order 4: with steps of 1e-4 s its error is below 1e-13 on these motions.
Vector integrate_reduced(const std::function<Vector(const Vector&)>& f, Vector y, double until) {
  const long steps = std::lround(until / 1e-4);
  const double h = until / static_cast<double>(steps);
  for (long k = 0; k < steps; ++k) {
    const Vector k1 = f(y), k2 = f(y + h / 2 * k1), k3 = f(y + h / 2 * k2), k4 = f(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

struct Followed {
  Recording recording;
  IntegrationResult run;
};

Followed follow(Motion& motion, double until, double output) {
  Followed result;
  IntegrateOptions options;
  options.until = until;
  options.output = output;
  options.rtol = rtol;
  options.atol = rtol;
  result.run = motion.run(options, result.recording);
  EXPECT_EQ(result.run.outcome, Outcome::reached_end) << result.run.explanation;
  return result;
}

/// The balance of moments about the centre of the disc, with the contact force eliminated by the balance of forces:
///   (I + m r²) θ̈ = (J + m r²) Ω w cos θ − I w² sin θ cos θ + m g r sin θ,   (J + m r²) Ω̇ = −m r² θ̇ w cos θ,
///   I ẇ cos θ = 2 I w θ̇ sin θ − J Ω θ̇
/// in the lean θ, the rate of heading w = φ̇ and the spin Ω = ψ̇ + w sin θ.
struct Disc {
  double m, r, I, J, g;

  Vector operator()(const Vector& y) const {  // x, y, φ, θ, ψ, θ̇, w, Ω
    const double phi = y[2], s = std::sin(y[3]), c = std::cos(y[3]), p = y[5], w = y[6], W = y[7], mr2 = m * r * r;
    Vector rate(8);
    rate << r * (W * std::cos(phi) + p * c * std::sin(phi)), r * (W * std::sin(phi) - p * c * std::cos(phi)), w, p,
        W - w * s, ((J + mr2) * W * w * c - I * w * w * s * c + m * g * r * s) / (I + mr2),
        (2 * I * w * p * s - J * W * p) / (I * c), -mr2 * p * w * c / (J + mr2);
    return rate;
  }
};

/// In the order of the parameters in the file.
Disc disc_of(const Motion& motion) {
  const std::vector<double>& p = motion.system.parameters();
  return {p[0], p[1], p[2], p[3], p[4]};
}

TEST(RollingDisc, FollowsTheBalanceOfMoments) {
  Motion motion(Motion::from_file("rolling_disc"));
  const double until = 3.0;
  const Followed followed = follow(motion, until, 0.1);
  const State& start = motion.start;
  Vector y(8);
  y << start.q, start.v[3], start.v[2], start.v[4] + start.v[2] * std::sin(start.q[3]);
  y = integrate_reduced(disc_of(motion), y, until);
  const test::Stored& end = followed.recording.last();
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(end.q[i], y[i], accuracy * (1 + std::abs(y[i]))) << i;
  EXPECT_NEAR(end.v[3], y[5], accuracy);
  EXPECT_NEAR(end.v[2], y[6], accuracy);
}

TEST(RollingDisc, KeepsItsEnergy) {
  Motion motion(Motion::from_file("rolling_disc"));
  ASSERT_TRUE(motion.system.shape().energy_changes.empty()) << motion.system.shape().energy_changes;
  const auto w = motion.system.workspace();
  const double energy = motion.system.energy(motion.start, *w).total;
  for (const test::Stored& s : follow(motion, 5.0, 0.1).recording.samples)
    EXPECT_NEAR(motion.system.energy(State{s.t, s.q, s.v}, *w).total, energy, accuracy * energy);
}

// (J + m r²) Ω w = (I w² − m g r/cos θ) sin θ: the lean stays, the centre runs in a circle of radius r Ω/w
TEST(RollingDisc, RollsSteadilyInACircle) {
  Model model = Motion::from_file("rolling_disc");
  const double theta = -0.4, w = 2.0;
  const auto [m, r, I, J, g] = disc_of(Motion(model));
  const double spin = (I * w * w - m * g * r / std::cos(theta)) * std::sin(theta) / ((J + m * r * r) * w);
  model.coordinates[2].speed = w;
  model.coordinates[3].start = theta;
  model.coordinates[4].speed = spin - w * std::sin(theta);
  Motion motion(model);
  const double turn = 2 * std::numbers::pi / w;
  const Followed followed = follow(motion, turn, turn / 4);
  for (const test::Stored& s : followed.recording.samples) {
    EXPECT_NEAR(s.q[3], theta, accuracy);
    EXPECT_NEAR(s.v[3], 0.0, accuracy);
  }
  const auto& quarter = followed.recording.samples;
  EXPECT_NEAR((quarter[2].q.head(2) - quarter[0].q.head(2)).norm(), 2 * r * spin / w, accuracy);
  EXPECT_NEAR((quarter[4].q.head(2) - quarter[0].q.head(2)).norm(), 0.0, accuracy);
}

// m ṡ = 2 λ s and m z̈ = −m g − 2 a² ż λ with s = −a ż: along a straight line, ṡ = g a/(1 + a²) seen from above
TEST(AppellHamel, FallsAlongAStraightLine) {
  Model model = Motion::from_file("appell_hamel");
  model.parameters[3].value = 0.0;  // k
  Motion motion(model);
  const Followed followed = follow(motion, 2.0, 0.1);
  const double a = 2.0, s0 = 2.0, acceleration = 9.81 * a / (1 + a * a);
  for (const test::Stored& s : followed.recording.samples) {
    const double way = s0 * s.t + acceleration / 2 * s.t * s.t;
    EXPECT_NEAR(s.q[0], 1.0, accuracy);
    EXPECT_NEAR(s.q[1], way, accuracy * (1 + way));
    EXPECT_NEAR(s.q[2], -way / a, accuracy * (1 + way));
    EXPECT_NEAR(s.lambda[0], 1.5 * acceleration / (2 * (s0 + acceleration * s.t)), accuracy);
  }
}

// with ẋ = s cos α, ẏ = s sin α, ż = −s/a and the force F of weight and spring:
//   m ṡ (1 + 1/a²) = F·(cos α, sin α) + m g/a,   m s α̇ = F·(−sin α, cos α)
TEST(AppellHamel, FollowsTheReducedEquations) {
  Motion motion(Motion::from_file("appell_hamel"));
  const double m = 1.5, g = 9.81, a = 2.0, k = 3.0, until = 2.0;
  const Followed followed = follow(motion, until, 0.1);
  const auto reduced = [&](const Vector& y) {  // x, y, z, s, α
    const double c = std::cos(y[4]), n = std::sin(y[4]), s = y[3];
    Vector rate(5);
    rate << s * c, s * n, -s / a, (-k * (y[0] * c + y[1] * n) + m * g / a) / (m * (1 + 1 / (a * a))),
        -k * (-y[0] * n + y[1] * c) / (m * s);
    return rate;
  };
  Vector y(5);
  y << 1.0, 0.0, 0.0, 2.0, std::numbers::pi / 2;
  y = integrate_reduced(reduced, y, until);
  const test::Stored& end = followed.recording.last();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(end.q[i], y[i], accuracy * (1 + std::abs(y[i]))) << i;
  EXPECT_NEAR(end.v.head(2).norm(), y[3], accuracy * y[3]);
}

// the gradient 2 (ẋ, ẏ, −a² ż) vanishes at rest: the constraint is no guide there
TEST(AppellHamel, CannotStartFromRest) {
  Model model = Motion::from_file("appell_hamel");
  model.coordinates[1].speed = 0.0;
  model.coordinates[2].speed_guess = 0.0;
  Motion motion(model);
  EXPECT_EQ(motion.dynamics.rank(), 0);
  EXPECT_EQ(undetermined_multipliers(motion.dynamics, motion.start), Matrix::Identity(1, 1));
  Recording recording;
  const maggi::IntegrationResult run = motion.run({}, recording);
  EXPECT_EQ(run.outcome, Outcome::singular);
  EXPECT_THAT(run.explanation, testing::EndsWith("which more than one motion leads (\"slope\" is not linear in the "
                                                 "velocities; start with other ones, not from rest)"));
}

// with β = ÿ and ẍ = c β³, λ eliminated:  m β + 3 c β² (m c β³ + w) = −2 k y
TEST(NonlinearAccelerationLevel, FollowsTheReducedEquations) {
  Motion motion(Motion::from_file("acceleration_level_nonlinear"));
  const double m = 1.2, k = 5.0, w = 0.3, c = 0.15, until = 3.0;
  const Followed followed = follow(motion, until, 0.1);
  const auto acceleration = [&](double y) {
    double b = 0.0;
    for (int i = 0; i < 50; ++i) {
      const double residual = m * b + 3 * c * b * b * (m * c * b * b * b + w) + 2 * k * y;
      b -= residual / (m + 15 * m * c * c * b * b * b * b + 6 * c * b * w);
    }
    return b;
  };
  const auto reduced = [&](const Vector& y) {  // x, y, ẋ, ẏ
    const double b = acceleration(y[1]);
    Vector rate(4);
    rate << y[2], y[3], c * b * b * b, b;
    return rate;
  };
  Vector y(4);
  y << motion.start.q, motion.start.v;
  y = integrate_reduced(reduced, y, until);
  const test::Stored& end = followed.recording.last();
  EXPECT_NEAR((end.q - y.head(2)).norm(), 0.0, accuracy * (1 + y.norm()));
  EXPECT_NEAR((end.v - y.tail(2)).norm(), 0.0, accuracy * (1 + y.norm()));
  EXPECT_NEAR(end.vdot[1], acceleration(y[1]), 10 * accuracy);
  EXPECT_NEAR(end.lambda[0], m * end.vdot[0] + w, 10 * accuracy) << "m ẍ = −w + λ";
}

/// x'' + x''³/10 = 1.1 is x'' = 1; its row is (1.3, 0), so that 1.3 λ = m x'' + what pulls back.
const char* const strongly_bent = R"toml(
[coordinates]
x = { start = 3.5, speed = 0.6 }
y = { start = 0.5, speed = 0.2 }
[energy]
kinetic = "x'^2 + y'^2"
potential = "15*(x - 0.5)^2 + 2*9.81*y"
[constraint]
motor = { acceleration = "x'' + 0.1*x''^3 - 1.1" }
)toml";

// λ ψ'' = 70.8 · 0.6 is above the mass, so that the equations of Newton's method have no positive inertia
TEST(NonlinearAccelerationLevel, EveryFormulationFindsLargeReactions) {
  for (const std::string& formulation : formulation_names()) {
    if (formulation == "recursive") continue;
    Motion motion(Motion::from_text(strongly_bent), formulation);
    Acceleration a;
    ASSERT_TRUE(motion.dynamics.solve(motion.start, a)) << formulation << ": " << motion.dynamics.explain(motion.start);
    EXPECT_NEAR(a.vdot[0], 1.0, 1e-13) << formulation;  // Newton's method ends at rounding
    EXPECT_NEAR(a.vdot[1], -9.81, 1e-12) << formulation;
    EXPECT_NEAR(a.lambda[0], (2 + 30 * 3.0) / 1.3, 1e-11) << formulation;
  }
}

// with a force law the directions of the rows are another matrix than Cᵀ; they must be those at x'' = 1
TEST(NonlinearAccelerationLevel, ActsAlongItsGradientBesideForceLaws) {
  const std::string drag = std::string(strongly_bent) +
                           "[law]\ndrag = { along = { x = 1 }, law = \"force.drag = -1.5*x' - 0.2*lambda.motor\" }\n";
  for (const std::string& formulation : nonideal_formulation_names()) {
    Motion motion(Motion::from_text(drag), formulation);
    Acceleration a;
    ASSERT_TRUE(motion.dynamics.solve(motion.start, a)) << formulation << ": " << motion.dynamics.explain(motion.start);
    EXPECT_NEAR(a.vdot[0], 1.0, 1e-13) << formulation;
    EXPECT_NEAR(a.lambda[0], (2 + 30 * 3.0 + 1.5 * 0.6) / (1.3 - 0.2), 1e-11) << formulation;
  }
}

// v̇ = ω × v with ω = W J/(J + m r²) = 2 W/7, so the centre runs in a circle
TEST(BallOnATurntable, RunsInACircle) {
  Motion motion(Motion::from_file("ball_on_turntable"));
  const double w = 3.0 * 2 / 7, m = 0.5;
  const Eigen::Vector2d x0 = motion.start.q.head(2), v0 = motion.start.v.head(2), n0(-v0[1], v0[0]);
  for (const test::Stored& s : follow(motion, 10.0, 0.5).recording.samples) {
    const double c = std::cos(w * s.t), n = std::sin(w * s.t);
    const Eigen::Vector2d x = x0 + (n * v0 + (1 - c) * n0) / w, v = c * v0 + n * n0;
    EXPECT_NEAR((s.q.head(2) - x).norm(), 0.0, accuracy) << s.t;
    EXPECT_NEAR((s.v.head(2) - v).norm(), 0.0, accuracy) << s.t;
    EXPECT_NEAR(s.v[4], 1.0, accuracy) << "the spin about the vertical stays";
    // the force of the table carries the centre: λ = m ω × v
    EXPECT_NEAR((s.lambda - m * w * Eigen::Vector2d(-v[1], v[0])).norm(), 0.0, accuracy);
  }
}

// a half swing of the long pendulum and one of the short one in turn, both from the same height
TEST(GalileoPendulum, SwingsToTheSameHeightInKnownTimes) {
  Motion motion(Motion::from_file("galileo_pendulum"));
  const double l = 1.0, d = 0.4, g = 9.81, rise = l * (1 - std::cos(std::numbers::pi / 4));
  const auto quarter = [&](double length) {  // K(sin θ/2) √(length/g), and length (1 − cos θ) = rise
    return std::comp_ellint_1(std::sqrt(rise / (2 * length))) * std::sqrt(length / g);
  };
  const Followed followed = follow(motion, 4.0, 0.01);
  const double first = quarter(l), half_short = 2 * quarter(l - d), half_long = 2 * quarter(l);
  ASSERT_GE(followed.run.events.size(), 4U);
  double t = first;
  for (std::size_t i = 0; i < followed.run.events.size(); ++i) {
    const EventRecord& event = followed.run.events[i];
    EXPECT_EQ(event.name, i % 2 == 0 ? "meets" : "leaves");
    EXPECT_NEAR(event.t, t, accuracy);
    EXPECT_TRUE(event.impulses.empty()) << "both strings allow the same velocity";
    t += i % 2 == 0 ? half_short : half_long;
  }
  // all energy is potential where the speed is zero: the height it came from
  const auto w = motion.system.workspace();
  const double energy = motion.system.energy(motion.start, *w).total;
  for (const test::Stored& s : followed.recording.samples)
    EXPECT_NEAR(motion.system.energy(State{s.t, s.q, s.v}, *w).total, energy, accuracy);
}

}  // namespace
}  // namespace maggi
