// Mechanisms of models/ that are driven, geared or roll, against closed solutions, inverse kinematics and published
// equations. The motion of a driven mechanism is known: what remains are the residuals of the projection, ≤ 1e-12.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/largest.hpp"
#include "support/mechanism_run.hpp"
#include "support/reference.hpp"

namespace maggi::test {
namespace {

using std::numbers::pi;
using Column = std::vector<double>;

constexpr double closed = 1e-12;  // [m, rad] of mechanisms of some metres: thousands of ε, what the projection leaves

/// Largest distance between two columns.
double apart(const Column& a, const Column& b) {
  Largest result;
  for (std::size_t i = 0; i < a.size(); ++i) result.note(a[i] - b[i]);
  return result.value();
}

template <class F>
Column over_time(const MechanismRun& run, F f) {
  Column result;
  for (const double t : run["t"]) result.push_back(f(t));
  return result;
}

// --- Theo Jansen's leg

/// Points of two bodies that a pin holds together.
constexpr const char* pins[][2] = {{"crank.pin", "upper_rod.pin"},    {"crank.pin", "lower_rod.pin"},
                                   {"upper_rod.top", "triangle.top"}, {"lower_rod.knee", "inner_link.knee"},
                                   {"inner_link.knee", "foot.knee"},  {"triangle.outer", "outer_link.top"},
                                   {"outer_link.low", "foot.outer"}};

void expect_closed(const MechanismRun& run) {
  for (const auto& [a, b] : pins)
    for (const char* axis : {".x", ".y"})
      EXPECT_LT(apart(run[std::string(a) + axis], run[std::string(b) + axis]), closed) << a << axis;
}

TEST(TheoJansen, StaysClosedForTenMinutes) {
  const MechanismRun run(read_example("theo_jansen"), 600.0, 0.005, 1e-8, 1e-10);
  expect_closed(run);
  // E - W at full turns, where the rule of rectangles integrates the periodic power to all its digits; rtol 1e-8 of
  // the energy turned over in a step, but what is driven has no error of its own: the residuals times the forces
  const Column energy = run["energy.total"], power = run["motor.power"];
  double work = 0.0;
  Largest turned_over;
  for (std::size_t i = 1; i < power.size(); ++i) {
    work += 0.005 * (power[i] + power[i - 1]) / 2.0;
    turned_over.note(energy[i] - energy[0]);
    if (i % 200 == 0) { ASSERT_NEAR(energy[i] - energy[0], work, 1e-9 * turned_over.value()) << i; }
  }
}

TEST(TheoJansen, EnergyIsWhatTheMotorGives) {
  const double h = 0.001;
  const MechanismRun run(read_example("theo_jansen"), 2.0, h, 1e-10, 1e-12);
  expect_closed(run);
  const Column energy = run["energy.total"], P = run["motor.power"];
  // a rule of order 6: the tenth harmonic of the power loses (20π h)^6 of itself
  double work = 0.0;
  for (std::size_t i = 2; i + 3 < P.size(); ++i) {
    work += h / 1440 * (11 * (P[i - 2] + P[i + 3]) - 93 * (P[i - 1] + P[i + 2]) + 802 * (P[i] + P[i + 1]));
    ASSERT_NEAR(energy[i + 1] - energy[2], work, 1e-8 * largest(energy)) << i;
  }
}

// --- exact in the plane

TEST(ScottRussell, TipMovesOnItsLine) {
  const MechanismRun run(read_example("scott_russell"), 4.0, 0.01, 1e-8, 1e-10);
  EXPECT_LT(largest(run["tip_x"]), closed);
  const Column height = over_time(run, [](double t) { return 2 * 0.2 * std::sin(pi / 4 + 0.6 * std::sin(3 * t)); });
  EXPECT_LT(apart(run["tip_y"], height), closed);
}

constexpr double r = 0.1, l = 0.3, phi0 = pi / 3;  // of models/slider_crank*.toml

TEST(SliderCrank, PistonAcceleratesAsTheClosedFormSays) {
  const MechanismRun run(read_example("slider_crank_driven"), 3.0, 0.01, 1e-8, 1e-10);
  const double w = 10.0;
  const Column expected = over_time(run, [&](double t) {
    const double c = std::cos(phi0 + w * t), s = std::sin(phi0 + w * t), root = std::sqrt(l * l - r * r * s * s);
    return w * w * (-r * c - r * r * (c * c - s * s) / root - std::pow(r * r * s * c, 2) / std::pow(root, 3));
  });
  EXPECT_LT(apart(run["acceleration"], expected), 1e-10 * largest(expected));  // residuals of v, times w
  // dead centres: r w² (1 ± r/l)
  EXPECT_NEAR(*std::ranges::min_element(expected), -r * w * w * (1 + r / l), 1e-3 * r * w * w);
}

/// Driven by the piston, which moves as a crank of constant speed would move it: the crank does so, and passes its dead
/// centres, where the constraints lose rank, on its branch.
TEST(SliderCrank, PassesItsDeadCentresOnItsBranch) {
  Model model = read_example("slider_crank_driven");
  model.mechanism.drivers.front().coordinate.name = "cylinder";
  model.mechanism.drivers.front().follows = {"r*cos(phi0 + w*t) + sqrt(l^2 - (r*sin(phi0 + w*t))^2) - xC"};
  const MechanismRun run(model, 3.0, 0.01, 1e-8, 1e-10);
  const Column angle = over_time(run, [](double t) { return 10.0 * t; });
  EXPECT_LT(apart(run["bearing.angle"], angle), 1e-9);  // residuals of 1e-13 over the sine of a hundredth of a radian
}

/// Free: J(φ) φ̈ + J'(φ) φ̇²/2 + V'(φ) = 0, from the positions of crank, rod and piston alone.
TEST(SliderCrank, SwingsAsItsReducedEquationSays) {
  const MechanismRun run(read_example("slider_crank"), 5.0, 0.01);
  const double m1 = 0.8, m2 = 0.5, m3 = 0.4, g = 9.81;
  const auto J = [&](double phi) {
    const double c = std::cos(phi), s = std::sin(phi), root = std::sqrt(l * l - r * r * s * s);
    const double turn = -r * c / root;                   // of the rod: sin = −r s/l
    const double x = -r * s - r * r * s * c / root;      // of the piston, each for φ̇ = 1
    const double mx = (-r * s + x) / 2, my = r * c / 2;  // middle of the rod
    return m1 * r * r / 3 + m2 * (mx * mx + my * my) + m2 * l * l / 12 * turn * turn + m3 * x * x;
  };
  const double h = 1e-3;
  const Column angle = run["bearing.angle"], rate = run["bearing.angle'"], acceleration = run["bearing.angle''"];
  Column expected;
  for (std::size_t i = 0; i < angle.size(); ++i) {
    const double phi = phi0 + angle[i];
    const double dJ =
        (45 * (J(phi + h) - J(phi - h)) - 9 * (J(phi + 2 * h) - J(phi - 2 * h)) + (J(phi + 3 * h) - J(phi - 3 * h))) /
        (60 * h);
    expected.push_back(-(dJ / 2 * rate[i] * rate[i] + (m1 + m2) * g * r / 2 * std::cos(phi)) / J(phi));
  }
  EXPECT_LT(apart(acceleration, expected), 1e-9 * largest(expected));  // ε/h of the difference of J
}

TEST(PlanetaryGear, HasItsRatio) {
  const MechanismRun run(read_example("planetary_gear"), 1.0, 0.005, 1e-8, 1e-10);
  const Column sun = run["input.angle"], carrier = run["output.angle"];
  for (std::size_t i = 0; i < sun.size(); ++i) ASSERT_NEAR(sun[i], 4.0 * carrier[i], closed * (1.0 + sun[i]));
}

TEST(RackAndPinion, SinksAsTheFlywheelLetsIt) {
  const MechanismRun run(read_example("rack_and_pinion"), 0.8, 0.005, 1e-8, 1e-10);
  const double a = 9.81 * 4.0 / (4.0 + 6.0 * 0.12 * 0.12 / 2 / (0.05 * 0.05));
  const Column fallen = over_time(run, [&](double t) { return -a * t * t / 2; });
  EXPECT_LT(apart(run["guide.distance"], fallen), closed);  // a parabola is what every integrator does exactly
}

// --- in space

TEST(DoubleCardan, RunsEvenlyInPhaseOnly) {
  const double beta = pi / 6, w = 10.0, c = std::cos(beta), s = std::sin(beta);
  const auto one_joint = [&](double t) { return c / (1 - std::pow(s * std::cos(w * t), 2)); };
  for (const bool in_phase : {true, false}) {
    Model model = read_example("double_cardan");
    set_parameter(model, "phase", in_phase ? 0.0 : pi / 2);
    const MechanismRun run(model, 2.0, 0.005, 1e-8, 1e-10);
    EXPECT_LT(apart(run["middle_ratio"], over_time(run, one_joint)), 1e-11);  // residuals of v over w
    // in phase the angles behind the second joint are those before the first; otherwise tan θ_out = tan θ/cos²β
    const auto both = [&](double t) {
      return in_phase ? 1.0 : c * c / (std::pow(c * c * std::cos(w * t), 2) + std::pow(std::sin(w * t), 2));
    };
    EXPECT_LT(apart(run["ratio"], over_time(run, both)), 1e-11) << in_phase;
  }
}

/// The middle shaft may be put in as drawn or half a turn about its axis, and so may the output shaft: guesses decide,
/// and every motion stays as it was assembled. With β + θ₂ for the angle between the axis of the middle shaft and the
/// plane x z of the input, that axis in the frame of the input is
///     (cos β, sin β cos θ, −sin β sin θ) = (cos θ₁ C, S, −sin θ₁ C),   S = sin(β + θ₂),   C = cos(β + θ₂) = ±√(1 − S²)
TEST(DoubleCardan, StaysOnTheBranchThatIsGuessed) {
  const double beta = pi / 6, w = 10.0, c = std::cos(beta), s = std::sin(beta);
  for (const bool in_phase : {true, false})
    for (const bool turned_middle : {false, true})
      for (const bool turned_output : {false, true}) {
        SCOPED_TRACE(fmt::format("in phase {}, middle {}, output {}", in_phase, turned_middle, turned_output));
        Model model = read_example("double_cardan");
        set_parameter(model, "phase", in_phase ? 0.0 : pi / 2);
        Joint &cross = model.mechanism.joints[1], &bearing = model.mechanism.joints[2];
        ASSERT_EQ(cross.name, "cross_in");
        ASSERT_EQ(bearing.name, "bearing_out");
        if (turned_middle) cross.guess = {{"angle_1", 2.9}, {"angle_2", 1.9}};  // of π and π − 2β
        if (turned_output) bearing.guess = {{"", 2.8}};
        const MechanismRun run(model, 1.0, 0.005, 1e-8, 1e-10);
        const auto angle_1 = [&](double t) { return std::atan(s / c * std::sin(w * t)) + (turned_middle ? pi : 0.0); };
        const auto angle_2 = [&](double t) {
          const double whole = std::asin(s * std::cos(w * t));
          return (turned_middle ? pi - whole : whole) - beta;
        };
        const auto output = [&](double t) {  // tan θ_out = tan θ/k
          const double k = in_phase ? 1.0 : c * c, x = w * t;
          return x + std::atan((1 - k) * std::sin(x) * std::cos(x) / (k + (1 - k) * std::pow(std::sin(x), 2))) +
                 (turned_output ? pi : 0.0);
        };
        EXPECT_LT(apart(run["cross_in.angle_1"], over_time(run, angle_1)), closed);
        EXPECT_LT(apart(run["cross_in.angle_2"], over_time(run, angle_2)), closed);
        EXPECT_LT(apart(run["bearing_out.angle"], over_time(run, output)), closed);
      }
}

TEST(StewartPlatform, TakesThePoseWhoseLegsItIsGiven) {
  const MechanismRun run(read_example("stewart_platform"), 6.3, 0.02, 1e-8, 1e-10);
  const double R = 0.6, rp = 0.4, z0 = 0.75, degree = pi / 180;
  const auto X = [](double t) { return 0.1 * std::sin(2 * t); };
  const auto Y = [](double t) { return 0.1 * (1 - std::cos(2 * t)); };
  const auto Z = [&](double t) { return z0 + 0.05 * std::pow(std::sin(t), 2); };
  const auto P = [](double t) { return 0.25 * std::sin(t); };
  const double a[] = {-10, 10, 110, 130, 230, 250}, b[] = {-50, 50, 70, 170, 190, 290};
  for (int i = 0; i < 6; ++i) {  // the legs follow
    const auto length = [&](double t, bool moved) {
      const double turn = b[i] * degree + (moved ? P(t) : 0.0);
      return std::hypot((moved ? X(t) : 0.0) + rp * std::cos(turn) - R * std::cos(a[i] * degree),
                        (moved ? Y(t) : 0.0) + rp * std::sin(turn) - R * std::sin(a[i] * degree), moved ? Z(t) : z0);
    };
    const Column wanted = over_time(run, [&](double t) { return length(t, true) - length(t, false); });
    EXPECT_LT(apart(run["leg_" + std::to_string(i + 1) + ".distance"], wanted), closed) << i + 1;
  }
  // and so does the platform: its origin and a point of its edge
  EXPECT_LT(apart(run["platform.origin.x"], over_time(run, X)), closed);
  EXPECT_LT(apart(run["platform.origin.y"], over_time(run, Y)), closed);
  EXPECT_LT(apart(run["platform.origin.z"], over_time(run, Z)), closed);
  EXPECT_LT(apart(run["platform.mark.x"], over_time(run, [&](double t) { return X(t) + rp * std::cos(P(t)); })),
            closed);
  EXPECT_LT(apart(run["platform.mark.y"], over_time(run, [&](double t) { return Y(t) + rp * std::sin(P(t)); })),
            closed);
  EXPECT_LT(apart(run["platform.mark.z"], over_time(run, Z)), closed);
}

// --- rolling

TEST(RollingDisc, JointAndFormulasGiveTheSameMotion) {
  const MechanismRun formulas(read_example("rolling_disc"), 5.0, 0.02, 1e-12, 1e-13);
  const MechanismRun joint(read_example("rolling_disc_joint"), 5.0, 0.02, 1e-12, 1e-13);
  const Column x = formulas["x"], y = formulas["y"], phi = formulas["phi"], theta = formulas["theta"],
               psi = formulas["psi"];
  Column height, rim_x, rim_y, rim_z;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double sf = std::sin(phi[i]), cf = std::cos(phi[i]), st = std::sin(theta[i]), ct = std::cos(theta[i]);
    const double sp = std::sin(psi[i]), cp = std::cos(psi[i]), radius = 0.4;
    height.push_back(radius * ct);
    rim_x.push_back(x[i] + radius * (cp * st * sf + sp * cf));
    rim_y.push_back(y[i] + radius * (sp * sf - cp * st * cf));
    rim_z.push_back(radius * ct * (1 + cp));
  }
  const double same = 1e-9;  // rtol 1e-12 of 10 m, times the growth of errors in 5 s
  EXPECT_LT(apart(joint["disc.centre_point.x"], x), same);
  EXPECT_LT(apart(joint["disc.centre_point.y"], y), same);
  EXPECT_LT(apart(joint["disc.centre_point.z"], height), same);
  EXPECT_LT(apart(joint["disc.top.x"], rim_x), same);
  EXPECT_LT(apart(joint["disc.top.y"], rim_y), same);
  EXPECT_LT(apart(joint["disc.top.z"], rim_z), same);
  EXPECT_LT(apart(joint["energy.total"], formulas["energy.total"]), same);
}

/// Small motions about riding straight ahead: M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0, q = (lean, steer), with the matrices
/// of [MeijaardEtAl2007, (A1)-(A4)]; there z points down, so the sign of the steering angle is the other one.
TEST(Bicycle, RidesAsThePublishedEquationsSay) {
  Model model = read_example("bicycle");
  const double v = 5.0, g = 9.81, push = 1e-4;
  set_parameter(model, "push", push);
  const MechanismRun run(model, 2.0, 0.01, 1e-12, 1e-15);
  Eigen::Matrix2d M, C1, K0, K2;
  M << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  C1 << 0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  K0 << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  K2 << 0, 76.59734589573222, 0, 2.65431523794604;
  const Column w = run["place.qw"], x = run["place.qx"], y = run["place.qy"], z = run["place.qz"];
  const Column lean_rate = run["place.wx"], lean_acceleration = run["place.wx'"];
  const Column steer = run["steering.angle"], steer_rate = run["steering.angle'"],
               steer_acceleration = run["steering.angle''"];
  Largest residual, size;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const Eigen::Vector2d q(2 * (y[i] * z[i] + w[i] * x[i]), -steer[i]), qd(lean_rate[i], -steer_rate[i]),
        qdd(lean_acceleration[i], -steer_acceleration[i]);
    residual.note((M * qdd + v * C1 * qd + (g * K0 + v * v * K2) * q).norm());
    size.note((M * qdd).norm());
  }
  EXPECT_GT(size.value(), 10 * push);  // it does move
  EXPECT_LT(residual.value(),
            1e-6 * size.value());  // a mirror image moves alike: what is left out is of third order, push²
}

}  // namespace
}  // namespace maggi::test
