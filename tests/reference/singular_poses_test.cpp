// Motions through poses in which constraints become dependent, against references and closed forms.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "start/initial_conditions.hpp"
#include "support/available.hpp"
#include "support/four_bar_chain.hpp"
#include "support/in_space.hpp"
#include "support/measured.hpp"
#include "support/mechanism_run.hpp"
#include "support/reference.hpp"
#include "system/make_system.hpp"

namespace maggi::test {
namespace {

using ::testing::HasSubstr;

constexpr double g = 9.81, pi = std::numbers::pi;

struct Chain {
  int loops;
  bool bodies;
  bool spatial = false;

  Model model() const {
    if (spatial) return in_space(four_bar_chain_of_bodies(loops));
    return bodies ? four_bar_chain_of_bodies(loops) : four_bar_chain_of_formulas(loops);
  }
  std::string angle(int crank) const { return bodies ? fmt::format("pin_{}.angle", crank) : fmt::format("a{}", crank); }
  double sign() const { return bodies ? -1.0 : 1.0; }  // of the reference: clockwise is positive
  nlohmann::json reference() const {
    const auto all = read_reference("n_four_bar.json");
    for (const auto& each : all["cases"])
      if (each["N"] == loops) return each;
    throw std::runtime_error("no reference for so many loops");
  }
};

/// Ten seconds, compared at every sample, with the largest errors relative to the largest angle (31.75) and speed
/// (7.0); every pose is found, and at its time.
void expect_reference(const Chain& chain, double rtol, double tolerance, double energy_tolerance,
                      const std::string& integrator = "dopri5", const IntegrateOptions& more = {}) {
  const auto reference = chain.reference();
  IntegrateOptions options = more;
  options.until = 10.0, options.output = 0.25, options.rtol = rtol, options.atol = rtol / 10;
  options.integrator = integrator;
  const MechanismRun run(chain.model(), options);
  const auto& rows = reference["rows"];
  ASSERT_EQ(run.size(), rows.size());
  Largest angle_error, speed_error, drift;
  for (const int crank : {0, chain.loops}) {
    const std::vector<double> angle = run[chain.angle(crank)], speed = run[chain.angle(crank) + "'"];
    for (std::size_t k = 0; k < rows.size(); ++k) {
      angle_error.note((chain.sign() * angle[k] - number(rows[k][1])) / number(rows[40][1]));
      speed_error.note((chain.sign() * speed[k] - number(rows[k][2])) / 7.0);
    }
  }
  const std::vector<double> energy = run["energy.total"];
  for (const double value : energy) drift.note(value - energy[0]);
  const std::string name = fmt::format("{}_loops.{}.{}", chain.loops, chain.bodies ? "bodies" : "formulas", integrator);
  record(name + ".angle", angle_error.value());
  record(name + ".speed", speed_error.value());
  record(name + ".energy", drift.value());
  EXPECT_LE(angle_error.value(), tolerance);
  EXPECT_LE(speed_error.value(), tolerance);
  EXPECT_LE(drift.value(), energy_tolerance);

  const auto& times = reference["singular_times"];
  ASSERT_EQ(run.run.events.size(), times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    const EventRecord& event = run.run.events[k];
    EXPECT_EQ(event.name, "singular configuration");
    EXPECT_NEAR(event.t, number(times[k]),
                100 * tolerance);  // angle error over the speed 4.9 rad/s there, and their size
    EXPECT_THAT(event.what, HasSubstr(fmt::format("rank {} instead of {}", chain.loops, 2 * chain.loops)));
    // with one loop λ_x1 cos θ of ReactionsGrowAsTheyShould is zero in the pose: K = 6/5 g
    EXPECT_EQ(event.what.find("unbounded") != std::string::npos, chain.loops > 1) << event.what;
  }
}

// rtol 1e-13: as precise as the references are compared elsewhere
TEST(SingularPoses, OneFourBar) { expect_reference({1, false}, 1e-13, 1e-9, 1e-6); }
TEST(SingularPoses, ChainOfTwoFromFormulas) { expect_reference({2, false}, 1e-13, 1e-9, 1e-6); }
TEST(SingularPoses, ChainOfTwoFromBodies) { expect_reference({2, true}, 1e-13, 1e-9, 1e-6); }
TEST(SingularPoses, ChainOfTwoFromBodiesInSpace) { expect_reference({2, true, true}, 1e-13, 1e-9, 1e-6); }
TEST(SingularPoses, ChainOfFortyFromBodies) { expect_reference({40, true}, 1e-12, 1e-9, 1e-6); }
TEST(SingularPoses, ChainOfFortyFromBodiesInSpace) { expect_reference({40, true, true}, 1e-12, 1e-9, 1e-6); }

// at the default tolerances: errors of 300 steps of 1e-8, which an upright position multiplies
TEST(SingularPoses, OtherIntegratorsAndUnknowns) {
  const Chain chain{2, true};
  expect_reference(chain, 1e-8, 1e-5, 1e-3);
  expect_reference(chain, 1e-8, 1e-5, 1e-3, "rk4", {.step = 1e-3});
  if (test::is_available("cvode-bdf"))
    expect_reference(chain, 1e-10, 1e-5, 1e-3, "cvode-bdf");  // begins with the lowest order behind every pose
  expect_reference(chain, 1e-8, 1e-5, 1e-3, "dopri5", {.unknowns = "tangent"});
  expect_reference(chain, 1e-8, 1e-5, 1e-3, "dopri5", {.unknowns = "independent"});
}

/// However long the steps are: as often as the cranks become flat, on one side of it or the other, a pose is reported.
TEST(SingularPoses, AreSeenAtEveryTolerance) {
  for (const Chain& chain : {Chain{2, true}, Chain{2, true, true}, Chain{5, true}})
    for (const char* integrator : {"dopri5", "dop853", "rk4"})
      for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
        IntegrateOptions options{.until = 10.0, .output = 0.01, .rtol = rtol, .atol = rtol / 10};
        options.integrator = integrator, options.step = 0.3 * std::sqrt(std::sqrt(rtol));
        if (options.integrator != "rk4") options.step = 0.0;
        const MechanismRun run(chain.model(), options);
        const std::vector<double> angle = run["pin_0.angle"];
        std::size_t flat = 0;
        for (std::size_t k = 1; k < angle.size(); ++k) flat += std::cos(angle[k]) * std::cos(angle[k - 1]) < 0.0;
        EXPECT_EQ(run.run.events.size(), flat) << chain.loops << " loops, " << integrator << ", rtol " << rtol;
        for (int crank = 1; crank <= chain.loops; ++crank)  // the branch
          EXPECT_NEAR(run[chain.angle(crank)].back(), angle.back(), 1e-8) << integrator << ", rtol " << rtol;
      }
}

/// A chain that lies flat. Crank 0 covers nothing, but each coupler covers the next crank: with crank i at rest, both
/// can turn about their common end, and all cranks behind follow; a crank that moves takes the next one along. So a
/// branch begins with each crank.
Model flat_chain(int loops, const std::string& speed_of_the_first) {
  std::string bodies, joints = "[joint]\n";
  const auto rod = [&](const char* name, int i, int from) {
    bodies +=
        fmt::format("[body.{}_{}]\nshape = \"rod\"\nmass = 1\nfrom = [{}, 0]\nto = [{}, 0]\n", name, i, from, from + 1);
  };
  for (int i = 0; i <= loops; ++i) {
    rod("crank", i, i);
    joints += fmt::format("pin_{0} = {{ revolute = [\"ground\", \"crank_{0}\"], at = [{0}, 0]{1} }}\n", i,
                          i == 0 ? speed_of_the_first : "");
  }
  for (int i = 0; i < loops; ++i) {
    rod("coupler", i, i + 1);
    joints += fmt::format("left_{0} = {{ revolute = [\"crank_{0}\", \"coupler_{0}\"], at = [{1}, 0] }}\n", i, i + 1);
    joints +=
        fmt::format("right_{0} = {{ revolute = [\"coupler_{0}\", \"crank_{1}\"], at = [{2}, 0] }}\n", i, i + 1, i + 2);
  }
  return parse_model("dimension = 2\ngravity = [0, -9.81]\n" + bodies + joints, "flat_chain.toml");
}

TEST(SingularPoses, AFlatChainAtRestHasABranchForEachCrank) {
  for (const int loops : {2, 3, 5, 8}) {
    const auto system = make_system(flat_chain(loops, ""));
    Dynamics dynamics(*system);
    Trajectory trajectory(*system);
    const State start = find_initial_conditions(dynamics, system->start()).state;
    const maggi::IntegrationResult run = integrate(dynamics, start, trajectory, {.until = 0.1});
    EXPECT_EQ(run.outcome, Outcome::singular);
    const std::string& text = run.explanation;
    EXPECT_THAT(text, HasSubstr(fmt::format("rank {} instead of {}", loops, 2 * loops)));
    int branches = 1;
    for (std::size_t at = text.find("; or "); at != std::string::npos; at = text.find("; or ", at + 1)) ++branches;
    if (loops <= 3) {
      EXPECT_EQ(branches, loops + 1) << text;
    } else {  // they need not be all, and it says so
      EXPECT_GT(branches, 1) << text;
      EXPECT_LE(branches, loops + 1) << text;
      EXPECT_TRUE(text.ends_with("; and others")) << text;
    }
  }
}

/// Only one branch moves the first crank. Where so many ranks are lost that not all branches need have been found, it
/// is for the user to say.
TEST(SingularPoses, AFlatChainGoesOnWithItsFirstCrank) {
  const MechanismRun run(flat_chain(3, ", speed = -2"), {.until = 0.1});
  for (int crank = 1; crank <= 3; ++crank)
    EXPECT_NEAR(run[fmt::format("pin_{}.angle", crank)].back(), run["pin_0.angle"].back(), 1e-8);
  EXPECT_THAT(
      [] { MechanismRun(flat_chain(5, ", speed = -2"), {.until = 0.1}); },
      testing::ThrowsMessage<Error>(testing::AllOf(HasSubstr("rank 5 instead of 10"), HasSubstr("pin_0.angle' = -1"))));
}

/// In the flat pose itself all cranks have θ̈/g = 3.5/3 = 1.16667; a pseudo-inverse of the constraints, which have rank
/// 2 there, would give 1.22727, 1.09091 and 1.22727.
TEST(SingularPoses, InThePoseTheAccelerationIsThatOfTheBranch) {
  for (const bool bodies : {false, true}) {
    const Chain chain{2, bodies};
    const double pose = number(chain.reference()["singular_times"][0]);
    IntegrateOptions options{.until = 2 * pose, .output = pose, .rtol = 1e-12, .atol = 1e-13};
    const MechanismRun run(chain.model(), options);
    ASSERT_EQ(run.size(), 3u);
    EXPECT_NEAR(std::abs(run[chain.angle(0)][1]), pi / 2, 1e-10);
    for (int crank = 0; crank <= 2; ++crank)
      EXPECT_NEAR(chain.sign() * run[chain.angle(crank) + "''"][1] / g, 3.5 / 3, 1e-8) << crank;
    EXPECT_LT(run["distance.singularity"][1], 1e-9);
    EXPECT_GT(run["distance.singularity"][0], 0.3);
  }
}

/// Reactions grow like 1/|cos θ| towards the pose, on both sides of it, and are right wherever they are stored. On the
/// branch a_k = θ, b_k = 0 the balances of b1 and a0 are, with θ̈ = K sin θ and θ̇² = 1 + 2K (1 − cos θ):
///     λ_y1 = (g − θ̈ sin θ − θ̇² cos θ)/2,    4/3 θ̈ − 3/2 g sin θ = λ_x1 cos θ − λ_y1 sin θ
TEST(SingularPoses, ReactionsGrowAsTheyShould) {
  const Chain chain{2, false};
  const double pose = number(chain.reference()["singular_times"][0]), K = 3.5 / 3 * g;
  const MechanismRun run(chain.model(), {.until = 0.75, .output = 1e-4, .rtol = 1e-12, .atol = 1e-13});
  const std::vector<double> t = run["t"], angle = run["a0"], lambda = run["lambda.x1"];
  Largest found;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (std::abs(t[k] - pose) > 0.02) continue;
    const double s = std::sin(angle[k]), c = std::cos(angle[k]), speed2 = 1 + 2 * K * (1 - c);
    const double lambda_y = (g - K * s * s - speed2 * c) / 2;
    const double expected = (4.0 / 3 * K * s - 1.5 * g * s + lambda_y * s) / c;
    EXPECT_NEAR(lambda[k] / expected, 1.0, 1e-6) << t[k];  // |cos θ| ≥ 1e-4 of which the state has lost 1e-11 at most
    found.note(lambda[k]);
  }
  EXPECT_GT(found.value(), 1e3);
}

/// One coupler on three parallel cranks of 1 m, of which any two would guide it: a row is permanently redundant, and
/// flat another one is lost beside it. The motion is that of one pendulum: (Σm/3 + c) θ̈ = g (Σm/2 + c) sin θ.
struct CouplerOnThree {
  double masses[3];  // of the cranks; the coupler has 1 kg
  double inclined;   // at the start, from the vertical
  double speed;

  Model model() const {
    const double x = std::sin(inclined), y = std::cos(inclined);
    std::string bodies = "title = \"Coupler\"\ndimension = 2\ngravity = [0, -9.81]\n", joints = "[joint]\n";
    const auto rod = [&](const std::string& name, double mass, double x0, double y0, double x1) {
      bodies += fmt::format("[body.{}]\nshape = \"rod\"\nmass = {}\nfrom = [{}, {}]\nto = [{}, {}]\n", name, mass, x0,
                            y0, x1, y);
    };
    for (int k = 0; k < 3; ++k) {
      rod(fmt::format("crank_{}", k), masses[k], k, 0.0, k + x);
      joints += fmt::format("pin_{0} = {{ revolute = [\"ground\", \"crank_{0}\"], at = [{0}, 0]{1} }}\n", k,
                            k == 0 ? fmt::format(", speed = {}", -speed) : "");
      joints += fmt::format("top_{0} = {{ revolute = [\"crank_{0}\", \"coupler\"], at = [{1}, {2}] }}\n", k, k + x, y);
    }
    rod("coupler", 1.0, x, y, 2 + x);
    return parse_model(bodies + joints, "coupler.toml");
  }

  Model pendulum() const {
    const double sum = masses[0] + masses[1] + masses[2];
    return parse_model(
        fmt::format("[coordinates]\na = {{ start = {}, speed = {} }}\n[energy]\nkinetic = \"({}/3 + 1)/2*a'^2\"\n"
                    "potential = \"9.81*({}/2 + 1)*cos(a)\"\n",
                    inclined, speed, sum, sum),
        "pendulum.toml");
  }
};

/// When the pendulum is flat: from the states on both sides, to third order.
std::vector<double> flat_times(const MechanismRun& pendulum) {
  const std::vector<double> t = pendulum["t"], a = pendulum["a"], va = pendulum["a'"], wa = pendulum["a''"];
  std::vector<double> times;
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (std::cos(a[k - 1]) * std::cos(a[k]) > 0.0) continue;
    const double flat = pi / 2 + pi * std::round((a[k] - pi / 2) / pi);
    double s = 0.0;
    for (int i = 0; i < 20; ++i) s = (flat - a[k] - wa[k] * s * s / 2) / va[k];
    times.push_back(t[k] + s);
  }
  return times;
}

void expect_motion_of_pendulum(const CouplerOnThree& given, bool spatial, double rtol, double tolerance,
                               const IntegrateOptions& more = {}) {
  SCOPED_TRACE(fmt::format("masses {} {} {}, rtol {}, {}", given.masses[0], given.masses[1], given.masses[2], rtol,
                           spatial ? "in space" : "planar"));
  const MechanismRun pendulum(given.pendulum(), {.until = 10.0, .output = 1e-3, .rtol = 1e-13, .atol = 1e-14});
  IntegrateOptions options = more;
  options.until = 10.0, options.output = 0.25, options.rtol = rtol, options.atol = rtol / 10;
  const MechanismRun run(spatial ? in_space(given.model()) : given.model(), options);
  ASSERT_EQ(run.size(), 41u);
  const std::vector<double> expected = pendulum["a"];
  Largest error, apart;
  for (int crank = 0; crank < 3; ++crank) {
    const std::vector<double> angle = run[fmt::format("pin_{}.angle", crank)], first = run["pin_0.angle"];
    for (std::size_t k = 0; k < angle.size(); ++k) {
      error.note(-angle[k] + given.inclined - expected[250 * k]);
      apart.note(angle[k] - first[k]);
    }
  }
  record(fmt::format("rtol_{:.0e}.angle", rtol), error.value());
  record(fmt::format("rtol_{:.0e}.apart", rtol), apart.value());
  EXPECT_LE(error.value(), tolerance);
  EXPECT_LE(apart.value(), 1e-9);  // the branch

  const std::vector<double> times = flat_times(pendulum);
  ASSERT_EQ(run.run.events.size(), times.size());
  const bool equal = given.masses[0] == given.masses[1] && given.masses[1] == given.masses[2];
  for (std::size_t k = 0; k < times.size(); ++k) {
    const EventRecord& event = run.run.events[k];
    EXPECT_EQ(event.name, "singular configuration");
    EXPECT_NEAR(event.t, times[k], tolerance + 1e-8);  // flat_times()
    EXPECT_THAT(event.what, HasSubstr("\"top_1\" and \"top_2\" become dependent"));
    EXPECT_THAT(event.what, HasSubstr("rank 2 instead of 3"));
    // equal cranks carry equal shares, which need no force along the coupler in the pose
    EXPECT_EQ(event.what.find("unbounded") != std::string::npos, !equal) << event.what;
  }
}

// tolerances: some hundred steps with errors of 10 rtol, which grow with the time, and more in an upright position
TEST(SingularPoses, CouplerOnThreeCranks) {
  for (const bool spatial : {false, true}) {
    for (const CouplerOnThree& each : {CouplerOnThree{{1, 1, 1}, 0.0, 1.0}, CouplerOnThree{{1, 2, 4}, 0.0, 1.0}}) {
      expect_motion_of_pendulum(each, spatial, 1e-8, 1e-4);
      expect_motion_of_pendulum(each, spatial, 1e-10, 1e-6);
      expect_motion_of_pendulum(each, spatial, 1e-12, 1e-8);
    }
  }
}

TEST(SingularPoses, CouplerOnThreeCranksSwings) {
  for (const double inclined : {0.2618, 0.5, 1.0}) {
    expect_motion_of_pendulum({{1, 2, 4}, inclined, 0.0}, false, 1e-8, 1e-4);
    expect_motion_of_pendulum({{1, 2, 4}, inclined, 0.0}, false, 1e-12, 1e-8);
  }
}

/// Flat, from rest or with the speed of one crank given: the cranks have one way to go, which is that of the pendulum.
TEST(SingularPoses, CouplerOnThreeCranksBeginsFlat) {
  for (const double speed : {0.0, 2.0})
    for (const bool spatial : {false, true}) {
      const CouplerOnThree given{{1, 2, 4}, pi / 2, speed};
      const double until = 0.6;
      const MechanismRun pendulum(given.pendulum(), {.until = until, .output = 0.1, .rtol = 1e-12, .atol = 1e-13});
      const MechanismRun run(spatial ? in_space(given.model()) : given.model(), {.until = until, .output = 0.1});
      ASSERT_EQ(run.size(), 7u);
      for (int crank = 0; crank < 3; ++crank)
        for (std::size_t k = 0; k < run.size(); ++k)  // errors of 1e-8 per step
          EXPECT_NEAR(pi / 2 - run[fmt::format("pin_{}.angle", crank)][k], pendulum["a"][k], 1e-6);
      ASSERT_EQ(run.run.events.size(), 1u);
      EXPECT_THAT(run.run.events[0].what, HasSubstr("is left"));
    }
}

TEST(SingularPoses, CouplerOnThreeCranksByOtherMeans) {
  const CouplerOnThree given{{1, 2, 4}, 0.0, 1.0};
  expect_motion_of_pendulum(given, false, 1e-8, 1e-4, {.unknowns = "tangent"});
  expect_motion_of_pendulum(given, false, 1e-8, 1e-4, {.unknowns = "independent"});
  if (test::is_available("cvode-bdf")) expect_motion_of_pendulum(given, false, 1e-9, 1e-4, {.integrator = "cvode-bdf"});
  expect_motion_of_pendulum(given, false, 1e-8, 1e-4, {.integrator = "radau5"});
}

}  // namespace
}  // namespace maggi::test
