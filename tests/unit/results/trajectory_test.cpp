#include "results/trajectory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "support/pendulum.hpp"
#include "support/source_tree.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {
namespace {

using support::Motion;
using support::pendulum;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const Trajectory& trajectory, std::string_view group) {
  const Trajectory::Group& g = trajectory.group(group);
  std::vector<std::string> result;
  for (int i = g.first; i < g.first + g.count; ++i) {
    const Channel& channel = trajectory.channels()[i];
    result.push_back(channel.unit.empty() ? channel.name : channel.name + " [" + channel.unit + "]");
  }
  return result;
}

TEST(Trajectory, ChannelsHaveNamesAndUnits) {
  const EquationSystem system(read_model(test::source_path("models/moving_pendulum.toml")));
  const Trajectory trajectory(system);
  EXPECT_THAT(names(trajectory, "time"), ElementsAre("t [s]"));
  EXPECT_THAT(names(trajectory, "coordinates"), ElementsAre("x1 [m]", "x2 [m]", "x3 [rad]"));
  EXPECT_THAT(names(trajectory, "velocities"), ElementsAre("x1' [m/s]", "x2' [m/s]", "x3' [rad/s]"));
  EXPECT_THAT(names(trajectory, "accelerations"), ElementsAre("x1'' [m/s^2]", "x2'' [m/s^2]", "x3'' [rad/s^2]"));
  EXPECT_THAT(names(trajectory, "multipliers"), ElementsAre("lambda.guide [N]"));
  EXPECT_THAT(names(trajectory, "reactions"), ElementsAre("reaction.x1 [N]", "reaction.x2 [N]", "reaction.x3 [N m]"));
  EXPECT_THAT(names(trajectory, "energies"),
              ElementsAre("energy.kinetic [J]", "energy.potential [J]", "energy.total [J]"));
  EXPECT_THAT(names(trajectory, "outputs"), ElementsAre("pivot [m]", "guide_force [N]"));
  EXPECT_THAT(names(trajectory, "residuals"),
              ElementsAre("residual.position", "residual.velocity", "distance.singularity"));
  EXPECT_THAT(trajectory.left_out(), IsEmpty());
}

TEST(Trajectory, ClearedItTakesAnotherMotionAsIfItWereNew) {
  Motion motion(pendulum());
  Trajectory fresh(motion.system), used(motion.system);
  const auto run = [&](Trajectory& trajectory, double until) {
    Dynamics dynamics(motion.system);
    dynamics.decide_rows(motion.start.state);
    integrate(dynamics, motion.start.state, trajectory, {.until = until, .output = 0.001});
  };
  run(used, 10.0);  // 10 001 states: several chunks
  const std::size_t many = used.size();
  used.clear();
  EXPECT_EQ(used.size(), 0U);
  run(used, 2.0);
  run(fresh, 2.0);
  ASSERT_EQ(used.size(), fresh.size());
  EXPECT_LT(used.size(), many);
  for (int channel = 0; channel < static_cast<int>(fresh.channels().size()); ++channel)
    EXPECT_EQ(used.values(channel), fresh.values(channel)) << fresh.channels()[channel].name;
}

TEST(Trajectory, UnitsOfMultipliersFollowFromTheConstraint) {
  const EquationSystem system(parse_model(R"toml(
[coordinates]
x = { start = 0, unit = "m" }
y = { start = 0, unit = "m/s" }
z = {}
[energy]
kinetic = "x'^2 + y'^2 + z'^2"
[constraint]
area  = { position = "x*y - z", unit = "m^2" }
angle = { position = "x + y", unit = "rad" }
speed = { velocity = "x' + z'", unit = "m/s" }
push  = { acceleration = "y'' + z''", unit = "m/s^2" }
odd   = { velocity = "y' - z'", unit = "m" }
bare  = { position = "z" }
)toml",
                                          "u.toml"));
  const Trajectory trajectory(system);
  EXPECT_THAT(names(trajectory, "multipliers"), ElementsAre("lambda.area [N/m]", "lambda.angle [N m]", "lambda.bare",
                                                            "lambda.speed [N]", "lambda.odd", "lambda.push [N]"));
  EXPECT_THAT(names(trajectory, "reactions"), ElementsAre("reaction.x [N]", "reaction.y", "reaction.z"));
}

TEST(Trajectory, GroupsThatDoNotExistAreEmpty) {
  const EquationSystem system(
      parse_model("[coordinates]\nx = {}\n[equations]\nmass = [[1]]\nforce = [\"-x\"]\n", "free.toml"));
  const Trajectory trajectory(system);
  for (const char* group : {"multipliers", "controls", "reactions", "energies", "outputs", "drawing", "residuals"})
    EXPECT_EQ(trajectory.group(group).count, 0) << group;
  EXPECT_EQ(trajectory.channels().size(), 4u);
}

TEST(Trajectory, StoresWhatBelongsToAState) {
  Motion motion(pendulum("", "twice = \"2*x + lambda.rod\"\n"));
  Trajectory trajectory(motion.system);
  trajectory.accept(motion.sample());
  ASSERT_EQ(trajectory.size(), 1u);
  const auto value = [&](std::string_view name) { return trajectory(0, trajectory.find(name).value()); };
  const Acceleration& a = motion.start.acceleration;
  EXPECT_EQ(value("t"), 0.0);
  EXPECT_EQ(value("x"), 0.6);
  EXPECT_EQ(value("y"), motion.start.state.q[1]);
  EXPECT_EQ(value("y'"), motion.start.state.v[1]);
  EXPECT_EQ(value("y''"), a.vdot[1]);
  EXPECT_EQ(value("lambda.rod"), a.lambda[0]);
  EXPECT_EQ(value("reaction.x"), a.reaction[0]);
  EXPECT_NEAR(value("energy.potential"), 2 * 9.81 * -0.8, 1e-12);  // rounding of y, found to 1e-13
  EXPECT_EQ(value("energy.total"), value("energy.kinetic") + value("energy.potential"));
  EXPECT_EQ(value("twice"), 2 * 0.6 + a.lambda[0]);
  EXPECT_EQ(value("residual.position"), motion.start.residuals.position);
  EXPECT_EQ(trajectory.find("z"), std::nullopt);
}

TEST(Trajectory, GrowsByChunksThatStayWhereTheyAre) {
  Motion motion(pendulum());
  Trajectory trajectory(motion.system);
  State state = motion.start.state;
  trajectory.accept(motion.sample());
  const double* first = trajectory.state(0);
  const int count = 20'000;  // 65536 values a chunk, 14 channels: five chunks
  for (int i = 1; i < count; ++i) {
    state.t = i;
    trajectory.accept({state, motion.start.acceleration, motion.start.residuals});
  }
  EXPECT_EQ(trajectory.state(0), first);
  const std::vector<double> t = trajectory.values(0);
  ASSERT_EQ(t.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ASSERT_EQ(t[i], i);
}

TEST(Trajectory, AValueThatIsNotFiniteEndsTheRunAndKeepsWhatIsThere) {
  Motion motion(pendulum("", "slope = \"y/(x - 0.5)\"\n"));
  Trajectory trajectory(motion.system);
  trajectory.accept(motion.sample());
  State state = motion.start.state;
  state.q[0] = 0.5;
  state.t = 0.25;
  try {
    trajectory.accept({state, motion.start.acceleration, motion.start.residuals});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::numerics);
    EXPECT_STREQ(
        error.what(),
        "pendulum.toml:12:10: the output \"slope\" is not a finite number at t = 0.25 s (a division by zero, a "
        "root or logarithm of a negative number, or too large; the run stops here)");
  }
  EXPECT_EQ(trajectory.size(), 1u);
  state.q[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(trajectory.accept({state, motion.start.acceleration, motion.start.residuals}), Error);
  EXPECT_EQ(trajectory.size(), 1u);
}

const char* const doubled = "again = { position = \"2*x^2 + 2*y^2 = 2\", unit = \"m^2\" }\n";
const char* const outputs = "one = \"lambda.rod*x\"\nboth = \"lambda.rod + 2*lambda.again\"\nplace = \"x*y\"\n";

TEST(UndeterminedMultipliers, AreTheCombinationsThatDoNothing) {
  Motion motion(pendulum(doubled));
  const Matrix Z = motion.undetermined();
  ASSERT_EQ(Z.cols(), 1);
  EXPECT_NEAR(Z(0, 0) + 2 * Z(1, 0), 0.0, 1e-14);  // Cᵀz = 0: c z₁ + 2c z₂
  EXPECT_NE(Z(1, 0), 0.0);
  EXPECT_EQ(Motion(pendulum()).undetermined().cols(), 0);
}

TEST(UndeterminedMultipliers, LeaveTheOthersAlone) {
  Motion motion(parse_model(R"toml(
[coordinates]
x = {}
y = {}
z = {}
[energy]
kinetic = "x'^2 + y'^2 + z'^2"
[constraint]
a = { position = "x" }
b = { position = "x + 0.001*y" }
c = { position = "3000*y" }
)toml",
                            "r.toml"));
  const Matrix Z = motion.undetermined();
  ASSERT_EQ(Z.cols(), 1);  // rows a, b, c in x and y only: all take part
  EXPECT_FALSE(Z.row(0).isZero(0.0) || Z.row(1).isZero(0.0) || Z.row(2).isZero(0.0));
}

TEST(Trajectory, LeavesOutWhatIsNotUnique) {
  Motion motion(pendulum(doubled, outputs));
  Trajectory trajectory(motion.system, motion.unique());
  EXPECT_EQ(trajectory.group("multipliers").count, 0);
  EXPECT_THAT(names(trajectory, "outputs"), ElementsAre("both", "place"));  // the sum acts, its parts are open
  EXPECT_THAT(trajectory.left_out(),
              ElementsAre("lambda.rod is left out: the constraints depend on each other, so it is not unique (min-norm "
                          "shows the one of least norm)",
                          "lambda.again is left out: the constraints depend on each other, so it is not unique "
                          "(min-norm shows the one of least norm)",
                          "one is left out: the constraints depend on each other, so it is not unique (min-norm shows "
                          "the one of least norm)"));
  trajectory.accept(motion.sample());
  const Acceleration& a = motion.start.acceleration;
  EXPECT_EQ(trajectory(0, trajectory.find("both").value()), a.lambda[0] + 2 * a.lambda[1]);
  EXPECT_EQ(trajectory(0, trajectory.find("place").value()), motion.start.state.q[0] * motion.start.state.q[1]);
}

TEST(Trajectory, MarksWhatIsNotUnique) {
  Motion motion(pendulum(doubled, outputs));
  const Trajectory trajectory(motion.system, motion.unique(), Reactions::min_norm);
  EXPECT_THAT(names(trajectory, "multipliers"),
              ElementsAre("lambda.rod (min-norm) [N/m]", "lambda.again (min-norm) [N/m]"));
  EXPECT_THAT(names(trajectory, "outputs"), ElementsAre("one (min-norm)", "both", "place"));
}

}  // namespace
}  // namespace maggi
