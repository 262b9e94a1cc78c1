#include "basis/metric_factor.hpp"

#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "support/random_equations.hpp"

namespace maggi {
namespace {

using test::Kind;
using test::random_equations;

TEST(MetricFactor, RankAndCombinationsOfRedundantRows) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Kind kind{.n = 2 + trial % 9, .rank = 1 + trial % 2, .redundant = trial % 4, .scale_spread = 1e4};
    const Equations e = random_equations(kind, random);
    MetricFactor factor(e.n(), e.m());
    ASSERT_TRUE(factor.compute(e.M, e.C));
    ASSERT_EQ(factor.rank(), kind.rank);
    ASSERT_EQ(factor.dependent().size(), kind.redundant);
    const Matrix A = factor.combinations();
    for (int i = 0; i < kind.redundant; ++i) {
      Vector row = Vector::Zero(e.n());
      for (int k = 0; k < kind.rank; ++k) row += A(i, k) * e.C.row(factor.independent()[k]).transpose();
      const Vector dependent = e.C.row(factor.dependent()[i]).transpose();
      EXPECT_LT((row - dependent).norm(), 1e-11 * dependent.norm());  // ε κ(C) κ(M)^½, four digits to spare
    }
  }
}

TEST(MetricFactor, RankDoesNotDependOnUnits) {
  std::mt19937 random(2);
  Equations e = random_equations({.n = 5, .rank = 3}, random);
  // the first coordinate in micrometres, the second constraint in kilometres, masses in tonnes
  const Vector scale{{1e6, 1.0, 1.0, 1.0, 1.0}};
  e.C = e.C * scale.cwiseInverse().asDiagonal();
  e.M = 1e-3 * scale.cwiseInverse().asDiagonal() * e.M * scale.cwiseInverse().asDiagonal();
  e.C.row(1) *= 1e-3;
  MetricFactor factor(5, 3);
  ASSERT_TRUE(factor.compute(e.M, e.C));
  EXPECT_EQ(factor.rank(), 3);
  EXPECT_GT(factor.distance_to_singularity(), 1e-3);
}

TEST(MetricFactor, AZeroRowIsDependentAndNeverScaled) {
  const Matrix M = Matrix::Identity(3, 3);
  Matrix C = Matrix::Zero(2, 3);
  C(0, 0) = 2.0;
  C(1, 1) = 6e-17;  // cos(π/2) in double precision
  MetricFactor factor(3, 2);
  ASSERT_TRUE(factor.compute(M, C));
  EXPECT_EQ(factor.rank(), 1);
  EXPECT_EQ(factor.dependent()[0], 1);
}

TEST(MetricFactor, LeastChangeIsTheSmallestInTheMassMetric) {
  std::mt19937 random(3);
  const Equations e = random_equations({.n = 6, .rank = 3, .redundant = 1}, random);
  MetricFactor factor(6, 4);
  ASSERT_TRUE(factor.compute(e.M, e.C));
  Vector delta(6);
  factor.least_change(e.gamma, delta);
  EXPECT_LT((e.C * delta - e.gamma).norm(), 1e-12 * e.gamma.norm());
  // M δ is in the range of Cᵀ: orthogonal to every admissible motion
  const Matrix Q = Matrix(e.C.transpose().colPivHouseholderQr().householderQ());
  EXPECT_LT((Q.rightCols(3).transpose() * e.M * delta).norm(), 1e-12 * (e.M * delta).norm());
}

TEST(MetricFactor, SingularMassIsFineOnAdmissibleMotions) {
  const Matrix M = Vector{{1.0, 0.0}}.asDiagonal();
  MetricFactor factor(2, 1);
  EXPECT_TRUE(factor.compute(M, Matrix{{1.0, 1.0}}));  // admissible: (1, −1), which moves the mass
  EXPECT_FALSE(factor.regular());
  EXPECT_EQ(factor.rank(), 1);
  EXPECT_FALSE(factor.compute(M, Matrix{{1.0, 0.0}}));  // admissible: (0, 1), without inertia
  EXPECT_NEAR(std::abs(factor.weightless()[1]), 1.0, 1e-12);
}

TEST(MetricFactor, NoRows) {
  MetricFactor factor(2, 0);
  ASSERT_TRUE(factor.compute(Matrix::Identity(2, 2), Matrix(0, 2)));
  EXPECT_EQ(factor.rank(), 0);
  EXPECT_EQ(factor.distance_to_singularity(), 1.0);
}

}  // namespace
}  // namespace maggi
