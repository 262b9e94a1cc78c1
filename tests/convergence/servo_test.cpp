// The crane against its flat solution: all that moves, and both controls, as functions of the path of the load.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "analysis/hidden_constraints.hpp"
#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "start/initial_conditions.hpp"
#include "support/available.hpp"
#include "support/hidden.hpp"
#include "support/measured.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

/// A function of time with its derivatives up to the fourth, as Taylor coefficients.
struct Jet {
  std::array<double, 5> c{};
  double derivative(int k) const { return c[k] * std::tgamma(k + 1.0); }
};
Jet operator+(const Jet& a, const Jet& b) {
  Jet r;
  for (int i = 0; i < 5; ++i) r.c[i] = a.c[i] + b.c[i];
  return r;
}
Jet operator*(double s, const Jet& a) {
  Jet r;
  for (int i = 0; i < 5; ++i) r.c[i] = s * a.c[i];
  return r;
}
Jet operator*(const Jet& a, const Jet& b) {
  Jet r;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; i + j < 5; ++j) r.c[i + j] += a.c[i] * b.c[j];
  return r;
}
Jet operator/(const Jet& a, const Jet& b) {
  Jet r;
  for (int k = 0; k < 5; ++k) {
    double sum = a.c[k];
    for (int i = 0; i < k; ++i) sum -= r.c[i] * b.c[k - i];
    r.c[k] = sum / b.c[0];
  }
  return r;
}
Jet root(const Jet& a) {
  Jet r;
  r.c[0] = std::sqrt(a.c[0]);
  for (int k = 1; k < 5; ++k) {
    double sum = a.c[k];
    for (int i = 1; i < k; ++i) sum -= r.c[i] * r.c[k - i];
    r.c[k] = sum / (2 * r.c[0]);
  }
  return r;
}
/// f' as a jet, of two orders less in what follows from it.
Jet rate(const Jet& a) {
  Jet r;
  for (int i = 0; i < 4; ++i) r.c[i] = (i + 1) * a.c[i + 1];
  return r;
}
Jet constant(double value) { return {{value}}; }

struct Flat {
  double s, l, theta, trolley, winch;
};

/// With x, y of the load:  tan θ = −ẍ/(g − ÿ),  tension S = m √(ẍ² + (g − ÿ)²),  s = x − y tan θ,  l = y/cos θ,
/// trolley = mt s̈ − S sin θ,  winch = S − J/r² l̈.
Flat flat(double t) {
  constexpr double mt = 10, m = 100, J = 0.1, r = 0.1, g = 9.81, T = 6;
  Jet tau;
  tau.c = {t / T, 1 / T};
  const Jet square = tau * tau, fifth = square * square * tau;
  const Jet share =
      fifth * (constant(126) + -420 * tau + 540 * square + -315 * (square * tau) + 70 * (square * square));
  const Jet x = 5 * share, y = constant(4) + -2 * share;
  const Jet ax = rate(rate(x)), down = constant(g) + -1 * rate(rate(y));
  const Jet tangent = -1 * (ax / down);  // right up to its second derivative, as ẍ is
  const Jet secant = root(constant(1) + tangent * tangent);
  const Jet s = x + -1 * (y * tangent), l = y * secant;
  const double tension = m * std::hypot(ax.c[0], down.c[0]), theta = std::atan(tangent.c[0]);
  return {s.c[0], l.c[0], theta, mt * s.derivative(2) - tension * std::sin(theta),
          tension - J / (r * r) * l.derivative(2)};
}

struct Errors final : Sink {
  void accept(const Sample& sample) override {
    const Flat exact = flat(sample.state.t);
    const Vector& q = sample.state.q;
    const Vector& p = sample.acceleration.p;
    const auto note = [](double& size, double error) { size = larger(size, error); };
    note(angle, q[2] - exact.theta);
    note(trolley, p[0] - exact.trolley);
    note(winch, p[1] - exact.winch);
    double tau = sample.state.t / 6;
    const double share =
        std::pow(tau, 5) * (126 - 420 * tau + 540 * tau * tau - 315 * std::pow(tau, 3) + 70 * std::pow(tau, 4));
    note(path, q[0] + q[1] * std::sin(q[2]) - 5 * share);
    note(path, q[1] * std::cos(q[2]) - (4 - 2 * share));
  }
  double angle = 0, trolley = 0, winch = 0, path = 0;
};

Errors follow(IntegrateOptions options) {
  const Model model = read_example("overhead_crane");
  const EquationSystem system(test::with_hidden_constraints(model, test::find_hidden_constraints(model)));
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  options.until = 6.0;
  options.output = 0.1;
  Errors errors;
  const IntegrationResult run = integrate(dynamics, start.state, errors, options);
  EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  const std::string name = fmt::format("{}.{}", options.integrator.name(), options.step);
  record(name + ".path", errors.path);
  record(name + ".angle", errors.angle);
  record(name + ".trolley", errors.trolley);
  record(name + ".winch", errors.winch);
  return errors;
}

TEST(ServoConvergence, TheLoadFollowsItsPathAndTheControlsAreThoseOfTheFlatSolution) {
  for (const std::string& integrator : test::available({"dopri5", "cvode-bdf", "rk4"})) {
    const Errors errors = follow({.step = 0.01, .integrator = integrator});
    EXPECT_LT(errors.path, 1e-8);
    // every position follows from the path, projected to 1e-14; the controls are its fourth derivatives: 1e3 N with a
    // condition of 1e4 of what they are found from
    EXPECT_LT(errors.angle, 1e-12);
    EXPECT_LT(errors.trolley, 1e-8);
    EXPECT_LT(errors.winch, 1e-8);
  }
}

TEST(ServoConvergence, TheProjectedEquationsConvergeWithOrderThree) {
  std::vector<Errors> errors;
  for (const double step : {0.05, 0.025, 0.0125, 0.00625})
    errors.push_back(follow({.step = step, .integrator = "projected-bdf"}));
  for (std::size_t i = 0; i < errors.size(); ++i) {
    EXPECT_LT(errors[i].path, 1e-8);
    EXPECT_LT(errors[i].angle, 1e-10);  // the hidden condition is part of the equations; rounding of their solution
    if (i == 0) continue;
    // halving the step divides the error by 8, within a sixth: the next term of the error is not yet small
    EXPECT_NEAR(std::log2(errors[i - 1].trolley / errors[i].trolley), 3.0, 0.25);
    EXPECT_NEAR(std::log2(errors[i - 1].winch / errors[i].winch), 3.0, 0.25);
  }
}

}  // namespace
}  // namespace maggi::test
