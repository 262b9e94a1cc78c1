#include "base/cholesky.hpp"

#include <gtest/gtest.h>

#include "support/random_equations.hpp"

namespace maggi {
namespace {

TEST(Cholesky, FactorsAndSolves) {
  std::mt19937 random(1);
  for (const int n : {1, 2, 5, 20}) {
    const Matrix M = test::random_equations({.n = n, .rank = 0}, random).M;
    Matrix L = M;
    ASSERT_TRUE(cholesky(L));
    const Matrix lower = L.triangularView<Eigen::Lower>();
    EXPECT_LT((lower * lower.transpose() - M).norm(), 1e-14 * M.norm());
    const Vector b = Vector::LinSpaced(n, 1.0, 2.0);
    Vector x = b;
    solve_lower(L, x);
    solve_lower_transposed(L, x);
    EXPECT_LT((M * x - b).norm(), 1e-12 * b.norm());
  }
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  Matrix singular = Matrix::Ones(2, 2);
  EXPECT_FALSE(cholesky(singular));
  Matrix indefinite{{1.0, 2.0}, {2.0, 1.0}};
  EXPECT_FALSE(cholesky(indefinite));
  // a null vector with a small last component: every pivot looks healthy, the last one is ε/u² = 2e-12
  Matrix hidden = Matrix::Identity(3, 3);
  const Vector u = Vector{{1.0, -1.0, 0.01}}.normalized();
  hidden -= u * u.transpose();
  EXPECT_FALSE(cholesky(hidden));
  Matrix not_a_number = Matrix::Constant(2, 2, std::nan(""));
  EXPECT_FALSE(cholesky(not_a_number));
  Matrix small{{1e-30, 0.0}, {0.0, 1e30}};  // badly scaled is not singular
  EXPECT_TRUE(cholesky(small));
}

TEST(Cholesky, AcceptsOrRefusesByTheSmallestEigenvalue) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = 2 + trial % 9;
    const Matrix U = test::random_orthogonal(n, random);
    Vector values = Vector::Ones(n);
    values[0] = trial % 2 == 0 ? 0.0 : 1e-10;  // singular to rounding, and well above it
    Matrix A = U * values.asDiagonal() * U.transpose();
    A = (0.5 * (A + A.transpose())).eval();
    // scaled to a unit diagonal the smallest eigenvalue is λ/Σ u_i² A_ii to first order; not if a diagonal entry is
    // itself next to nothing
    if (A.diagonal().minCoeff() < 1e-3) continue;
    EXPECT_EQ(cholesky(A), trial % 2 == 1) << "trial " << trial;
  }
}

}  // namespace
}  // namespace maggi
