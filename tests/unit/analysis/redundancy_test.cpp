#include "analysis/redundancy.hpp"
#include "base/decompositions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dynamics/dynamics.hpp"
#include "maggi/error.hpp"
#include "start/initial_conditions.hpp"
#include "support/given_system.hpp"
#include "support/random_equations.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The certificate of a model at its consistent start.
Redundancy certificate(const Model& model) {
  const EquationSystem system(model);
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  return find_redundancy(dynamics, start.state);
}

/// A point in the plane, turned by nothing.
Model point(std::vector<Constraint> constraints) {
  Model model;
  model.coordinates = {{.name = "x", .guess = -0.8}, {.name = "y", .start = 0.6, .speed = 0.0}};
  model.kinetic = "x'^2 + y'^2";
  model.potential = "9.81*y";
  model.constraints = std::move(constraints);
  return model;
}

/// A coupler on equal parallel rods of length 1; x and y are the first pin on the coupler, the ground pins stand at
/// 0, 1, 2 on the x axis.
///
///      ●───────●───────●
///     ╱       ╱       ╱
///    ●       ●       ●
Model coupler(int rods, double angle, double speed) {
  Model model;
  model.parameters = {{"a", angle}, {"w", speed}};
  model.coordinates = {{.name = "x", .start = "cos(a)", .speed = "-w*sin(a)"},
                       {.name = "y", .start = "sin(a)", .speed = "w*cos(a)"},
                       {.name = "phi", .start = 0.0, .speed = 0.0}};
  model.kinetic = "x'^2 + y'^2 + phi'^2";
  model.potential = "9.81*y";
  for (int i = 0; i < rods; ++i) {
    const std::string s = std::to_string(i);
    model.constraints.push_back(
        {.name = "rod" + s, .formula = "(x + " + s + "*cos(phi) - " + s + ")^2 + (y + " + s + "*sin(phi))^2 = 1"});
  }
  return model;
}

std::vector<double> factors(const Dependency& d) {
  std::vector<double> result;
  for (const Dependency::Term& term : d.combination) result.push_back(term.factor);
  return result;
}

constexpr double rounding = 1e-12;  // ε times the condition of these small matrices, and two digits

TEST(Redundancy, IndependentRowsHaveNoCertificate) {
  const Redundancy r = certificate(point({{.name = "rod", .formula = "x^2 + y^2 = 1"}}));
  EXPECT_EQ(r.rank, 1);
  EXPECT_EQ(r.rank_nearby, 1);
  EXPECT_THAT(r.dependencies, IsEmpty());
  EXPECT_THAT(r.unique, ElementsAre(true));
}

TEST(Redundancy, NoConstraints) {
  const Redundancy r = certificate(point({}));
  EXPECT_EQ(r.rank, 0);
  EXPECT_THAT(r.unique, IsEmpty());
}

TEST(Redundancy, ARowWrittenTwice) {
  const Redundancy r = certificate(
      point({{.name = "rod", .formula = "x^2 + y^2 = 1"}, {.name = "again", .formula = "3*x^2 + 3*y^2 = 3"}}));
  EXPECT_EQ(r.rank, 1);
  EXPECT_FALSE(r.singular_pose());
  ASSERT_EQ(r.dependencies.size(), 1u);
  const Dependency& d = r.dependencies[0];
  EXPECT_EQ(d.row, 1);
  ASSERT_EQ(d.combination.size(), 1u);
  EXPECT_EQ(d.combination[0].row, 0);
  EXPECT_NEAR(d.combination[0].factor, 3.0, rounding);
  EXPECT_EQ(d.permanent, true);
  EXPECT_TRUE(d.compatible);
  EXPECT_FALSE(d.hides_condition);
  EXPECT_THAT(r.unique, ElementsAre(false, false));
}

TEST(Redundancy, OtherRowsStayUnique) {
  Model model = point({{.name = "rod", .formula = "x^2 + y^2 = 1"},
                       {.name = "plane", .formula = "z"},
                       {.name = "again", .formula = "sqrt(x^2 + y^2) = 1"}});
  model.coordinates.push_back({.name = "z"});
  model.kinetic = "x'^2 + y'^2 + z'^2";
  const Redundancy r = certificate(model);
  EXPECT_EQ(r.rank, 2);
  EXPECT_THAT(r.unique, ElementsAre(false, true, false));
}

TEST(Redundancy, DifferentLevelsAndUnits) {
  // the rod at all three levels, the second in mm/s
  const Redundancy r =
      certificate(point({{.name = "rod", .formula = "x^2 + y^2 = 1"},
                         {.name = "speed", .level = Level::velocity, .formula = "1000*(x*x' + y*y')"},
                         {.name = "rate", .level = Level::acceleration, .formula = "x*x'' + y*y'' + x'^2 + y'^2"}}));
  EXPECT_EQ(r.rank, 1);
  ASSERT_EQ(r.dependencies.size(), 2u);
  for (const Dependency& d : r.dependencies) {
    EXPECT_EQ(d.permanent, true);
    EXPECT_TRUE(d.compatible) << d.conflict;
    EXPECT_FALSE(d.hides_condition);
  }
}

TEST(Redundancy, TheThirdRodOfAParallelogramIsPermanent) {
  const double angle = 0.7;
  const Redundancy r = certificate(coupler(3, angle, 1.0));
  EXPECT_EQ(r.rank, 2);
  ASSERT_EQ(r.dependencies.size(), 1u);
  const Dependency& d = r.dependencies[0];
  EXPECT_EQ(d.permanent, true);
  EXPECT_TRUE(d.compatible);
  EXPECT_FALSE(d.hides_condition);
  // rows 2 (x, y, i y): rod0 − 2 rod1 + rod2 = 0, whichever is called redundant
  ASSERT_EQ(d.combination.size(), 2u);
  const Vector left_null = (Vector(3) << 1.0, -2.0, 1.0).finished();
  for (const Dependency::Term& term : d.combination)
    EXPECT_NEAR(term.factor, -left_null[term.row] / left_null[d.row], rounding);
  EXPECT_THAT(r.unique, ElementsAre(false, false, false));
}

TEST(Redundancy, AFlatParallelogramDependsInThatPoseOnly) {
  const Redundancy r = certificate(coupler(2, 0.0, 1.0));
  EXPECT_EQ(r.rank, 1);
  EXPECT_EQ(r.rank_nearby, 2);
  EXPECT_TRUE(r.singular_pose());
  ASSERT_EQ(r.dependencies.size(), 1u);
  EXPECT_EQ(r.dependencies[0].permanent, false);
  EXPECT_TRUE(r.dependencies[0].compatible);
  EXPECT_THAT(factors(r.dependencies[0]), ElementsAre(::testing::DoubleNear(1.0, rounding)));
}

TEST(Redundancy, InASingularPoseTheLastingDependencyIsTold) {
  Model model = coupler(2, 0.0, 1.0);
  model.constraints.push_back({.name = "again", .formula = "2*x^2 + 2*y^2 = 2"});  // twice rod0, which is rod1 here
  const Redundancy r = certificate(model);
  EXPECT_EQ(r.rank, 1);
  EXPECT_EQ(r.rank_nearby, 2);
  int permanent = 0;
  for (const Dependency& d : r.dependencies) {
    if (d.permanent != true) continue;
    ++permanent;
    ASSERT_EQ(d.combination.size(), 1u);
    EXPECT_EQ(d.row + d.combination[0].row, 2);  // rows 0 and 2
    EXPECT_NEAR(d.combination[0].factor, d.row == 2 ? 2.0 : 0.5, 1e-9);
  }
  EXPECT_EQ(permanent, 1);
}

TEST(Redundancy, AConditionThatIsHiddenBetweenTwoRows) {
  // both say something about x'': together they say y = 0, which nobody wrote
  Model model = point({{.name = "first", .level = Level::acceleration, .formula = "x''"},
                       {.name = "second", .level = Level::acceleration, .formula = "x'' = y"}});
  model.coordinates = {{.name = "x", .start = 0.0, .speed = 0.0}, {.name = "y", .start = 0.0, .speed = 0.0}};
  const Redundancy r = certificate(model);
  ASSERT_EQ(r.dependencies.size(), 1u);
  EXPECT_EQ(r.dependencies[0].permanent, true);
  EXPECT_TRUE(r.dependencies[0].compatible);
  EXPECT_TRUE(r.dependencies[0].hides_condition);
}

TEST(Redundancy, AFlatParallelogramOnThreeRodsHasBoth) {
  const Redundancy r = certificate(coupler(3, 0.0, 1.0));
  EXPECT_EQ(r.rank, 1);
  EXPECT_EQ(r.rank_nearby, 2);  // not 3: no pose nearby needs all three
  int permanent = 0;
  for (const Dependency& d : r.dependencies) permanent += d.permanent == true ? 1 : 0;
  EXPECT_EQ(permanent, 1);
}

TEST(Redundancy, ARowWithoutEffect) {
  Model model = point({{.name = "rod", .formula = "x^2 + y^2 = 1"}, {.name = "off", .formula = "on*(x^2 + y^2 - 1)"}});
  model.parameters = {{"on", 0.0}};
  const Redundancy r = certificate(model);
  EXPECT_EQ(r.rank, 1);
  ASSERT_EQ(r.dependencies.size(), 1u);
  EXPECT_THAT(r.dependencies[0].combination, IsEmpty());
  EXPECT_EQ(r.dependencies[0].permanent, true);
  EXPECT_THAT(r.unique, ElementsAre(true, false));
}

TEST(Redundancy, AConflictIsRefusedByName) {
  const Model model = point({{.name = "near", .formula = "x = 1"}, {.name = "far", .formula = "x = 2"}});
  try {
    certificate(model);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::numerics);
    EXPECT_THAT(error.what(), ::testing::AnyOf(HasSubstr("\"near\""), HasSubstr("\"far\"")));
  }
}

TEST(Redundancy, AConflictAtAnInconsistentStateIsTold) {
  const EquationSystem system(point({{.name = "near", .formula = "x = 1"}, {.name = "far", .formula = "x = 2"}}));
  Dynamics dynamics(system);
  State state{0.0, Vector::Zero(2), Vector::Zero(2)};
  dynamics.decide_rows(state);
  const Redundancy r = find_redundancy(dynamics, state);
  ASSERT_EQ(r.dependencies.size(), 1u);
  EXPECT_FALSE(r.dependencies[0].compatible);
}

/// Any matrix: rank, combinations and uniqueness against the singular value decomposition.
RC_GTEST_PROP(RedundancyProperty, AgreesWithTheSvd, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  const int n = *rc::gen::inRange(1, 9), rank = *rc::gen::inRange(0, n + 1),
            more = *rc::gen::inRange(rank == 0 ? 1 : 0, 5);
  const auto combined = *rc::gen::container<std::vector<int>>(more * rank, rc::gen::inRange(-2, 3));
  Equations e = test::random_equations({.n = n, .rank = rank, .scale_spread = 1e3}, random);
  e.C.conservativeResize(rank + more, n);
  e.gamma.conservativeResize(rank + more);
  for (int i = 0; i < more; ++i) {  // small whole factors, many of them zero
    e.C.row(rank + i).setZero();
    e.gamma[rank + i] = 0.0;
    for (int j = 0; j < rank; ++j) {
      const double factor = combined[i * rank + j] / e.C.row(j).norm();
      e.C.row(rank + i) += factor * e.C.row(j);
      e.gamma[rank + i] += factor * e.gamma[j];
    }
  }
  const test::GivenSystem system(e);
  Dynamics dynamics(system);
  const State state{0.0, Vector::Zero(n), Vector::Zero(n)};
  dynamics.decide_rows(state);
  const Redundancy r = find_redundancy(dynamics, state);

  Matrix unit = e.C;
  for (Eigen::Index i = 0; i < unit.rows(); ++i)
    if (const double norm = unit.row(i).norm(); norm > 1e-9) unit.row(i) /= norm;
  const double tolerance = 1e-8;  // ε κ(C) κ(M)^½ ≈ 1e-13 by construction; the smallest true value is ≈ 1e-2
  const Eigen::JacobiSVD<Matrix> svd(unit, Eigen::ComputeFullU);
  const auto svd_rank = (svd.singularValues().array() > tolerance).count();
  RC_ASSERT(r.rank == svd_rank);
  RC_ASSERT(static_cast<Eigen::Index>(r.dependencies.size()) == unit.rows() - svd_rank);
  const Matrix left_null = svd.matrixU().rightCols(unit.rows() - svd_rank);  // yᵀ C = 0
  for (Eigen::Index i = 0; i < unit.rows(); ++i) RC_ASSERT(r.unique[i] == (left_null.row(i).norm() < tolerance));
  for (const Dependency& d : r.dependencies) {
    Vector left = e.C.row(d.row);
    for (const Dependency::Term& term : d.combination) left -= term.factor * e.C.row(term.row);
    RC_ASSERT(left.norm() <= tolerance * (1e-9 + e.C.row(d.row).norm()));
    RC_ASSERT(d.compatible);
    RC_ASSERT(d.permanent != false);
  }
}

}  // namespace
}  // namespace maggi
