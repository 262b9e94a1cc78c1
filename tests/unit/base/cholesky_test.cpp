#include "maggi/base/cholesky.hpp"

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
  Matrix not_a_number = Matrix::Constant(2, 2, std::nan(""));
  EXPECT_FALSE(cholesky(not_a_number));
  Matrix small{{1e-30, 0.0}, {0.0, 1e30}};  // badly scaled is not singular
  EXPECT_TRUE(cholesky(small));
}

}  // namespace
}  // namespace maggi
