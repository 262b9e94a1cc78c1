#include "base/singular_values.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/decompositions.hpp"
#include "base/largest.hpp"

namespace maggi {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

Matrix random_matrix(int rows, int cols, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix A(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) A(i, j) = normal(random);
  return A;
}

/// U, V orthogonal, σ decreasing, A = U Σ Vᵀ. Each of the handful of sweeps rounds n² rotations.
void expect_decomposes(const Matrix& A, const SingularValues& svd) {
  const auto m = A.rows(), n = A.cols();
  const double rounding = 100 * eps * static_cast<double>(std::max(m, n) + 1);
  ASSERT_EQ(svd.U.rows(), m);
  ASSERT_EQ(svd.V.rows(), n);
  EXPECT_LE(largest(Matrix(svd.U.transpose() * svd.U - Matrix::Identity(m, m))), rounding);
  EXPECT_LE(largest(Matrix(svd.V.transpose() * svd.V - Matrix::Identity(n, n))), rounding);
  Matrix S = Matrix::Zero(m, n);
  for (int k = 0; k < std::min(m, n); ++k) S(k, k) = svd.sigma[k];
  for (int k = 0; k + 1 < n; ++k) EXPECT_GE(svd.sigma[k], svd.sigma[k + 1]);
  EXPECT_LE(largest(Matrix(svd.U * S * svd.V.transpose() - A)), rounding * (n > 0 ? svd.sigma[0] : 0.0));
}

TEST(SingularValues, DecomposeMatricesOfAnyShape) {
  std::mt19937 random(7);
  for (const auto& [m, n] : {std::pair{1, 1}, {6, 6}, {9, 4}, {4, 9}, {40, 25}, {25, 40}, {0, 3}, {3, 0}}) {
    const Matrix A = random_matrix(m, n, random);
    const SingularValues svd(A);
    expect_decomposes(A, svd);
    if (A.size() == 0) continue;
    const Vector other = Eigen::JacobiSVD<Matrix>(A).singularValues();  // Eigen's, two-sided
    EXPECT_LE(largest(Vector(svd.sigma.head(other.size()) - other)), 100 * eps * other[0] * (m + n));
  }
}

TEST(SingularValues, OfDependentRowsAreRounding) {
  std::mt19937 random(8);
  for (int r = 0; r <= 5; ++r) {
    const Matrix A = random_matrix(12, r, random) * random_matrix(r, 8, random);
    const SingularValues svd(A);
    expect_decomposes(A, svd);
    if (r > 0) {
      EXPECT_EQ(svd.above(1e-12 * svd.sigma[0]), r);
    }
  }
}

TEST(SingularValues, SmallOnesKeepTheirDigits) {
  // A = B D with well-conditioned B: columns of very different size determine small σ to relative accuracy
  std::mt19937 random(9);
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(5, 5, random)).householderQ();
  const Vector sizes{{1e8, 1.0, 1e-7, 1e-15, 1e-150}};
  const SingularValues svd(Q * sizes.asDiagonal());
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(svd.sigma[k] / sizes[k], 1.0, 100 * eps) << k;
}

TEST(SingularValues, OfAnyUnit) {
  std::mt19937 random(10);
  const Matrix A = random_matrix(7, 5, random);
  const SingularValues one(A);
  for (const double unit : {1e-200, 1e-9, 1e200}) {
    const SingularValues scaled(unit * A);
    EXPECT_LE(largest(Vector(scaled.sigma / unit - one.sigma)), 100 * eps * one.sigma[0]) << unit;
  }
  EXPECT_EQ(largest(SingularValues(Matrix::Zero(3, 4)).sigma), 0.0);
}

}  // namespace
}  // namespace maggi
