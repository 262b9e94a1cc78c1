// Tangent velocities and the parts of reactions as channels, against what they must satisfy whatever the basis is.
#include <gtest/gtest.h>

#include <cmath>

#include "base/largest.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "support/source_tree.hpp"
#include "support/tolerances.hpp"

namespace maggi::test {
namespace {

using Names = std::vector<std::string>;

struct Case {
  const char* model;
  const char* basis;  // empty: the usual one
  double until = 0.5;
  double dt = 2e-3;  // small beside the changes of u
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.model << " on " << c.basis; }

constexpr double rtol = 1e-11;

Motion run(const Case& c, double output) {
  Model model = load(source_path(std::string("models/") + c.model + ".toml"));
  model.simulation.basis.reset();
  model.simulation.formulation.reset();
  model.simulation.unknowns.reset();
  model.simulation.integrator.reset();
  if (*c.basis) model.simulation.basis = c.basis;
  return Simulation(std::move(model))
      .run({.until = c.until,
            .output = output,
            .rtol = rtol,
            .integrator = Integrator::dopri5,
            .also = std::vector<Choice<Further>>{Further::tangent, Further::reactions}});
}

int freedom(const Motion& motion) {
  int k = 0;
  for (const std::string& name : motion.names()) k += name.starts_with("tangent.h.") ? 1 : 0;
  return k;
}

std::string of(const char* what, int i) { return "tangent." + std::string(what) + std::to_string(i + 1); }

/// M_u from its lower triangle.
Matrix mass(const Motion& motion, std::size_t state, int k) {
  Matrix M(k, k);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j <= i; ++j)
      M(i, j) = M(j, i) = motion["tangent.M." + std::to_string(i + 1) + "." + std::to_string(j + 1)][state];
  return M;
}

Vector values(const Motion& motion, const char* what, std::size_t state, int k) {
  Vector result(k);
  for (int i = 0; i < k; ++i) result[i] = motion[of(what, i)][state];
  return result;
}

Vector rates(const Motion& motion, std::size_t state, int k) {
  Vector result(k);
  for (int i = 0; i < k; ++i) result[i] = motion[of("u", i) + "'"][state];
  return result;
}

class Tangent : public testing::TestWithParam<Case> {};

/// u̇ comes from v̇ and Ż, h_u from h, γ and Ż: the equation ties what is computed in two ways.
TEST_P(Tangent, EquationOfMotionHolds) {
  const Motion motion = run(GetParam(), 0.05);
  const int k = freedom(motion);
  ASSERT_GT(k, 0);
  ASSERT_GT(motion.size(), 5U);
  for (std::size_t s = 0; s < motion.size(); ++s) {
    const Vector h = values(motion, "h.", s, k);
    const Matrix M = mass(motion, s, k);
    const double scale = 1.0 + largest(h) + largest(M) * largest(rates(motion, s, k));
    EXPECT_LE(largest(M * rates(motion, s, k) - h), 1e-10 * scale) << s;  // ε κ(C) κ(M) of rounding, κ below 1e5
  }
}

/// Sixth-order central differences of u over the stored states.
TEST_P(Tangent, RateIsThatOfTheVelocities) {
  const double dt = GetParam().dt;
  const Motion motion = run(GetParam(), dt);
  const int k = freedom(motion);
  const std::span<const double> selection = motion["tangent.selection"], t = motion["t"];
  int compared = 0;
  for (std::size_t s = 3; s + 3 < motion.size(); s += motion.size() / 24) {
    if (selection[s + 3] != selection[s - 3] || std::abs(t[s + 3] - t[s - 3] - 6 * dt) > 1e-9) continue;
    for (int i = 0; i < k; ++i) {
      const std::span<const double> u = motion[of("u", i)];
      const double difference =
          (45 * (u[s + 1] - u[s - 1]) - 9 * (u[s + 2] - u[s - 2]) + (u[s + 3] - u[s - 3])) / (60 * dt);
      const double rate = motion[of("u", i) + "'"][s];
      // dt⁶ u⁽⁷⁾/140: below 1e-6 of u for what changes at 30/s (dt = 2e-3) or 300/s (2e-4); local errors rtol u / dt
      EXPECT_NEAR(difference, rate, 1e-6 * (1.0 + std::abs(rate) + std::abs(u[s]))) << of("u", i) << " at " << t[s];
    }
    ++compared;
  }
  EXPECT_GT(compared, 3);
}

/// Constraints that are linear and homogeneous in v: v = D u, so that T = ½ uᵀM_u u.
TEST_P(Tangent, EnergiesAddUpToTheKineticEnergy) {
  const Motion motion = run(GetParam(), 0.05);
  const int k = freedom(motion);
  for (std::size_t s = 0; s < motion.size(); ++s) {
    double sum = 0.0;
    for (int i = 0; i < k; ++i) sum += motion[of("energy.", i)][s];
    const double kinetic = motion["energy.kinetic"][s];
    EXPECT_NEAR(sum, kinetic, 1e-9 * (1e-3 + kinetic)) << s;  // C v as the run leaves it: 1e-12, of v up to 100
    const Vector u = values(motion, "u", s, k);
    EXPECT_NEAR(0.5 * u.dot(mass(motion, s, k) * u), sum, tolerance::many_roundings * (1.0 + sum)) << s;
  }
}

TEST_P(Tangent, PartsAddUpToTheReactions) {
  const Motion motion = run(GetParam(), 0.05);
  const Names names = motion.names();
  int checked = 0;
  for (const std::string& whole : names) {
    if (!whole.starts_with("reaction.")) continue;
    Names parts;
    for (const std::string& part : names)
      if (part.starts_with(whole + ".")) parts.push_back(part);
    if (parts.empty()) continue;
    for (std::size_t s = 0; s < motion.size(); ++s) {
      double sum = 0.0, scale = 1.0;
      for (const std::string& part : parts) sum += motion[part][s], scale += std::abs(motion[part][s]);
      EXPECT_NEAR(sum, motion[whole][s], 1e-9 * scale) << whole;  // ε κ(M) of forces that h nearly cancels
    }
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, Tangent,
                         testing::Values(Case{"moving_pendulum_driven", ""}, Case{"moving_pendulum_driven", "lu"},
                                         Case{"moving_pendulum_driven", "qr"},
                                         Case{"moving_pendulum_driven", "algebraic"},
                                         Case{"four_bar_cut_ground", "local"}, Case{"four_bar_cut_ground", "svd"},
                                         Case{"four_bar_cut_ground", "gram-schmidt"}, Case{"spatial_four_bar", "huang"},
                                         Case{"chaplygin_sleigh", ""}, Case{"rod_friction", ""},
                                         Case{"rolling_disc", "qtz"}, Case{"rolling_disc_joint", "", 0.5, 2e-4},
                                         Case{"four_bar", ""}, Case{"spatial_slider_crank", "putd", 0.5, 2e-4}));

/// v = D u + d_v with d_v ≠ 0.
TEST(TangentVelocities, OfAMovingConstraintHaveTheirOwnEquation) {
  Model model = load_text(R"toml(
[coordinates]
x = { start = 0.4, speed = 0.3 }
y = {}
z = { start = 0.1, speed = -0.2 }
[energy]
kinetic = "(2 + sin(z))/2*x'^2 + 3/2*y'^2 + x'*z'/3 + z'^2/2"
potential = "9.81*y + z^2"
[constraint]
track = { position = "y = x^2*(1 + sin(3*t)/4) + z*t" }
)toml",
                          "track.toml");
  Simulation simulation(std::move(model));
  constexpr double dt = 1e-3;
  const Motion motion = simulation.run(
      {.until = 0.4, .output = dt, .rtol = 1e-12, .also = std::vector<Choice<Further>>{Further::tangent}});
  ASSERT_EQ(freedom(motion), 2);
  const auto at = [&](const char* name, std::size_t s) { return motion[name][s]; };
  for (std::size_t s = 3; s + 3 < motion.size(); s += 20) {
    const Vector h = values(motion, "h.", s, 2);
    EXPECT_LE(largest(rates(motion, s, 2) - h), 1e-11 * (1.0 + largest(h)));  // M_u = 1, κ(M) below 10
    for (int i = 0; i < 2; ++i) {
      const std::span<const double> u = motion[of("u", i)];
      const double difference =
          (45 * (u[s + 1] - u[s - 1]) - 9 * (u[s + 2] - u[s - 2]) + (u[s + 3] - u[s - 3])) / (60 * dt);
      EXPECT_NEAR(difference, motion[of("u", i) + "'"][s], 1e-7) << i;  // 100 rtol over dt
    }
    // d_v is orthogonal to the motions in the metric of M: T = ½ |u|² + ½ φ²/(C M⁻¹Cᵀ), φ = the track's own speed
    const double t = at("t", s), x = at("x", s), z = at("z", s);
    Matrix M(3, 3);
    M << 2 + std::sin(z), 0, 1.0 / 3, 0, 3, 0, 1.0 / 3, 0, 1;
    Vector C(3);
    C << -2 * x * (1 + std::sin(3 * t) / 4), 1, -t;
    const double own = x * x * 0.75 * std::cos(3 * t) + z;
    const double rest = 0.5 * own * own / C.dot(M.inverse() * C);
    EXPECT_NEAR(at("energy.kinetic", s), at("tangent.energy.1", s) + at("tangent.energy.2", s) + rest, 1e-10);
    // Gauss: rᵀM⁻¹r
    Vector r(3);
    r << at("reaction.x", s), at("reaction.y", s), at("reaction.z", s);
    const double gauss = r.dot(M.inverse() * r);
    EXPECT_NEAR(at("gauss", s), gauss, 1e-12 * (1.0 + gauss));  // tens of roundings
  }
}

/// Blajer1993, section 6: λ_w = 8.852231532386206 and the cosines, from 40-digit arithmetic.
TEST(TangentVelocities, GaussMeasureIsTheSquareOfTheResolvedReaction) {
  Simulation simulation(load(source_path("models/moving_pendulum_driven.toml")));
  const Motion motion = simulation.run({.until = 0.01, .also = std::vector<Choice<Further>>{Further::tangent}});
  EXPECT_NEAR(motion["gauss"][0], 8.852231532386206 * 8.852231532386206, 1e-11);  // start_force, squared
  EXPECT_NEAR(motion["constrained.x1"][0], 0.0, tolerance::start_value);
  EXPECT_NEAR(motion["constrained.x2"][0], 0.3644556698250652, tolerance::start_value);
  EXPECT_NEAR(motion["constrained.x3"][0], 0.6355443301749348, tolerance::start_value);
}

/// A constraint that is switched off leaves more tangent velocities; while it holds, what is missing is zero.
TEST(TangentVelocities, OfAConstraintThatEventsSwitchAreAsManyAsThereCanBe) {
  Model model = load_text(R"toml(
[coordinates]
x = { start = 0, speed = 1 }
y = { start = 0, speed = 0 }
[energy]
kinetic = "x'^2/2 + y'^2/2"
potential = "9.81*y"
[constraint]
floor = { position = "y" }
[event]
edge = { when = "x - 0.2", switch_off = ["floor"] }
)toml",
                          "edge.toml");
  const Motion motion =
      Simulation(std::move(model))
          .run({.until = 0.4, .output = 0.05, .also = std::vector<Choice<Further>>{Further::tangent}});
  ASSERT_EQ(freedom(motion), 2);
  EXPECT_EQ(motion["tangent.u2"].front(), 0.0);
  EXPECT_EQ(motion["tangent.selection"].front(), 0.0);
  EXPECT_EQ(motion["tangent.selection"].back(), 1.0);
  const double u1 = motion["tangent.u1"].back(), u2 = motion["tangent.u2"].back();
  EXPECT_NEAR(std::hypot(u1, u2), std::hypot(1.0, 9.81 * 0.2), 1e-6);  // ten times the local error of a few steps
}

}  // namespace
}  // namespace maggi::test
