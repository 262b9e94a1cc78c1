#include "manifold/projection.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

TEST(Projection, BringsPositionsAndVelocitiesBack) {
  for (const char* name :
       {"pendulum", "four_bar_cut_ground", "andrews_squeezer", "car_axis", "spatial_four_bar", "chaplygin_sleigh"}) {
    const EquationSystem system(read_example(name));
    Dynamics dynamics(system);
    State state = find_initial_conditions(dynamics, system.start()).state;
    state.q += 1e-4 * Vector::Random(state.q.size());
    state.v += 1e-2 * Vector::Random(state.v.size());
    Projection projection(system);
    ASSERT_TRUE(projection(state, dynamics.workspace())) << name;
    const Residuals left = projection.residuals(state, dynamics.workspace());
    EXPECT_LT(left.position, 1e-13 * (1.0 + largest(state.q))) << name;
    EXPECT_LT(left.velocity, 1e-13 * (1.0 + largest(state.v))) << name;
    EXPECT_GT(projection.residual_before(), 1e-6) << name;
  }
}

TEST(Projection, VelocityCorrectionIsOrthogonalToAdmissibleMotions) {
  const EquationSystem system(read_example("four_bar_cut_ground"));
  Dynamics dynamics(system);
  State state = find_initial_conditions(dynamics, system.start()).state;
  const Vector before = state.v + Vector{{0.1, -0.2, 0.3}};
  state.v = before;
  Projection projection(system);
  ASSERT_TRUE(projection.velocities(state, dynamics.workspace()));
  Matrix M(3, 3), C(2, 3);
  system.velocity(state, dynamics.workspace());
  system.shape().M.scatter(dynamics.workspace().terms.M, M);
  system.shape().C.scatter(dynamics.workspace().terms.C, C);
  const Vector motion = C.row(0).transpose().head<3>().cross(C.row(1).transpose().head<3>());  // null(C)
  EXPECT_NEAR(motion.dot(M * (state.v - before)), 0.0, 1e-14);  // DᵀM δ = 0: least change of kinetic energy
}

TEST(Projection, SaysNoWhereTheConstraintsCannotBeMet) {
  Model model;
  model.coordinates = {{.name = "x"}};
  model.kinetic = "x'^2/2";
  model.constraints = {{.name = "impossible", .formula = "x^2 + 1"}};
  const EquationSystem system(model);
  const auto workspace = system.workspace();
  State state{0.0, Vector{{0.3}}, Vector{{0.0}}};
  Projection projection(system);
  EXPECT_FALSE(projection(state, *workspace));
}

// a residual that is not a number, in one row of two: the other one, which is met, must not hide it
TEST(Projection, ARowThatIsNotANumberIsNotMet) {
  for (const int undefined : {0, 1}) {
    Model model;
    model.coordinates = {{.name = "x"}, {.name = "y"}};
    model.kinetic = "(x'^2 + y'^2)/2";
    const Constraint root{.name = "root", .formula = "sqrt(x) - 1"}, line{.name = "line", .formula = "y"};
    model.constraints = undefined == 0 ? std::vector{root, line} : std::vector{line, root};
    const EquationSystem system(model);
    const auto workspace = system.workspace();
    State state{0.0, Vector{{-1.0, 0.0}}, Vector::Zero(2)};
    Projection projection(system);
    const Residuals left = projection.residuals(state, *workspace);
    EXPECT_EQ(left.position, INFINITY);
    EXPECT_EQ(left.worst_position, undefined);
    EXPECT_EQ(left.velocity, INFINITY);
    EXPECT_EQ(left.worst_velocity, undefined);
    EXPECT_FALSE(projection.positions(state, *workspace));
    EXPECT_FALSE(projection.velocities(state, *workspace));
    EXPECT_EQ(projection.residual_after(), INFINITY);
  }
}

TEST(Projection, NonlinearVelocityRows) {
  Model model;
  model.coordinates = {{.name = "x"}, {.name = "y"}};
  model.kinetic = "(x'^2 + y'^2)/2";
  model.constraints = {{.name = "speed", .level = Level::velocity, .formula = "x'^2 + y'^2 = 4"}};
  const EquationSystem system(model);
  const auto workspace = system.workspace();
  State state{0.0, Vector::Zero(2), Vector{{3.0, 4.0}}};
  Projection projection(system);
  ASSERT_TRUE(projection(state, *workspace));
  EXPECT_LT((state.v - Vector{{1.2, 1.6}}).norm(), 1e-13);  // the nearest point of the circle
}

}  // namespace
}  // namespace maggi::test
