// The basis `local` on mechanisms: its local coordinates are where the second body of a joint is as seen from the
// first. In joint coordinates it is a complement of the loops; in absolute coordinates it puts the complements of all
// joints together, tree and loops, and is then the same motions.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "basis/local.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "start/initial_conditions.hpp"
#include "support/every_method.hpp"
#include "support/reference.hpp"
#include "support/same_motion.hpp"
#include "system/make_system.hpp"
#include "system/seam/mechanism_system.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi::test {
namespace {

std::vector<std::string> mechanisms() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("models")))
    if (entry.path().extension() == ".toml" && read_model(entry.path()).mechanism.given())
      names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

class LocalBasisOf : public testing::TestWithParam<std::string> {};

TEST_P(LocalBasisOf, GivesTheMotionAndTheMultipliersOfTheOthers) {
  const auto system = make_system(read_example(GetParam()));
  const bool ideal = system->shape().ideal();
  Dynamics others(*system, ideal ? "null-space" : "compatibility");
  const InitialConditions start = find_initial_conditions(others, system->start());
  for (const char* formulation : {"maggi", "maggi-rates", "compatibility", "minimal"}) {
    if (!ideal && std::string(formulation) != "compatibility") continue;
    Dynamics local(*system, formulation, "local");
    local.set_mode(others.mode());
    local.decide_rows(start.state);
    Acceleration a, b;
    ASSERT_TRUE(local.solve(start.state, a)) << formulation << ": " << local.explain(start.state);
    ASSERT_TRUE(others.solve(start.state, b));
    // ε times the condition of M, C and J, which is below 1e6 in these
    EXPECT_LT((a.vdot - b.vdot).norm(), 1e-9 * (1.0 + b.vdot.norm())) << formulation;
    EXPECT_LT((a.lambda - b.lambda).norm(), 1e-9 * (1.0 + b.lambda.norm())) << formulation;
    EXPECT_LT((a.reaction - b.reaction).norm(), 1e-9 * (1.0 + b.reaction.norm())) << formulation;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, LocalBasisOf, testing::ValuesIn(mechanisms()),
                         [](const testing::TestParamInfo<std::string>& each) { return each.param; });

/// D of all rows that are independent at a state.
Matrix complement(const System& system, const State& at) {
  Dynamics dynamics(system, "maggi", "local");
  dynamics.decide_rows(at);
  const Shape& shape = system.shape();
  const auto w = system.workspace();
  ask_for_J(shape, w->terms);
  system.acceleration(at, *w);
  Equations e{Matrix(shape.n(), shape.n()), w->terms.h, Matrix(shape.m(), shape.n()), w->terms.gamma};
  e.J.resize(shape.nx(), shape.n());
  shape.M.scatter(w->terms.M, e.M);
  shape.C.scatter(w->terms.C, e.C);
  shape.J.scatter(w->terms.J, e.J);
  const Matrix all = e.C;
  e.C = all(dynamics.rows().rows(), Eigen::all);
  LocalBasis basis(shape.n(), shape.m());
  EXPECT_TRUE(basis.compute(e)) << basis.why();
  const Matrix D = basis.D();
  EXPECT_EQ(D.cols(), dynamics.freedom());
  EXPECT_EQ(Eigen::ColPivHouseholderQR<Matrix>(D).rank(), D.cols());
  // also of the rows that are set aside; ε times the condition of J, and D is as long as that of a body some metres
  // wide
  EXPECT_LT((all * D).norm(), 1e-10 * (1.0 + all.norm()) * D.norm());
  return D;
}

/// Joints only: what else constrains is left out of the absolute form.
bool is_of_joints(const Model& model) {
  const Mechanism& m = model.mechanism;
  return m.drivers.empty() && m.couplings.empty() && model.constraints.empty() && model.controls.empty() &&
         model.frictions.empty() && std::ranges::none_of(m.joints, [](const Joint& joint) {
           return joint.type == JointType::rolling || joint.type == JointType::knife_edge || joint.friction ||
                  !joint.limits.empty();
         });
}

TEST(LocalBasis, JointByJointInAbsoluteCoordinatesItIsTheMotionsOfTheTree) {
  int compared = 0;
  for (const std::string& name : mechanisms()) {
    SCOPED_TRACE(name);
    const Model model = read_example(name);
    if (!is_of_joints(model)) continue;
    const auto tree = MechanismSystem::make(model), absolute = tree->absolute_twin();
    Dynamics dynamics(*tree);
    const State at = find_initial_conditions(dynamics, tree->start()).state;
    const Matrix D = complement(*tree, at), D_absolute = complement(*absolute, tree->absolute(at));
    ASSERT_EQ(D_absolute.cols(), D.cols());
    // velocities of the bodies for each motion of the joints
    Matrix both(absolute->shape().n(), 2 * D.cols());
    for (Eigen::Index j = 0; j < D.cols(); ++j) {
      both.col(j) = tree->absolute({at.t, at.q, D.col(j)}).v.normalized();
      both.col(D.cols() + j) = D_absolute.col(j).normalized();
    }
    Eigen::ColPivHouseholderQR<Matrix> qr;
    qr.setThreshold(1e-9);  // the start is consistent to 1e-10
    EXPECT_EQ(qr.compute(both).rank(), D.cols());
    ++compared;
  }
  EXPECT_GT(compared, 12);
}

/// A pin with which a loop is closed turns by itself: its speed is among the tangent velocities.
TEST(LocalBasis, TheSpeedOfTheJointThatClosesIsAmongTheTangentVelocities) {
  const Model model = read_example("four_bar");
  const auto system = MechanismSystem::make(model);
  Dynamics dynamics(*system);
  const State at = find_initial_conditions(dynamics, system->start()).state;
  const Shape& shape = system->shape();
  ASSERT_EQ(shape.nx(), 3);
  EXPECT_EQ(shape.local[2].name, shape.rows[0].owner + ".turn");
  const auto w = system->workspace();
  ask_for_J(shape, w->terms);
  system->acceleration(at, *w);
  Equations e{Matrix(3, 3), w->terms.h, Matrix(2, 3), w->terms.gamma};
  e.J.resize(3, 3);
  shape.M.scatter(w->terms.M, e.M), shape.C.scatter(w->terms.C, e.C), shape.J.scatter(w->terms.J, e.J);
  LocalBasis basis(3, 2);
  ASSERT_TRUE(basis.compute(e));
  EXPECT_EQ(basis.D_hat().cols(), 1);
  Vector u;
  basis.tangent(at.v, u);
  EXPECT_NEAR(std::abs(u[0]), std::abs((e.J * at.v)[2]), 1e-13 * at.v.norm());  // rounding
  EXPECT_GT(std::abs(u[0]), 0.1);
}

TEST(LocalBasis, TangentVelocitiesGiveTheSameMotion) {
  const Model model = read_example("four_bar");
  const MechanismRun expected(model, 1.0, 0.05, fine_rtol, fine_atol);
  const auto system = make_system(model);
  Dynamics dynamics(*system, "maggi-rates", "local");
  const InitialConditions start = find_initial_conditions(dynamics, system->start());
  Trajectory trajectory(*system, find_unique_forces(dynamics, start.state));
  const maggi::IntegrationResult run =
      integrate(dynamics, start.state, trajectory,
                {.until = 1.0, .output = 0.05, .rtol = fine_rtol, .atol = fine_atol, .unknowns = "tangent"});
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  for (const char* channel : {"coupler.middle.x", "coupler.middle.y", "pin_3.force.x", "pin_4.force.y"}) {
    const std::vector<double> x = expected[channel], y = trajectory.values(*trajectory.find(channel));
    ASSERT_EQ(x.size(), y.size());
    Largest error;
    for (std::size_t k = 0; k < x.size(); ++k) error.note(x[k] - y[k]);
    EXPECT_LT(error.value(), same * largest(x)) << channel;
  }
}

}  // namespace
}  // namespace maggi::test
