#include "base/pivoted_qr.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/random_equations.hpp"

namespace maggi {
namespace {

Matrix random_matrix(int rows, int cols, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(random); });
}

Matrix full_Q(const PivotedQr& qr) {
  Matrix Q(qr.rows(), qr.rows());
  qr.basis(0, Q);
  return Q;
}

TEST(PivotedQr, ReproducesTheMatrixForEveryShape) {
  std::mt19937 random(1);
  for (const auto& [rows, cols] : {std::pair{1, 1}, {5, 3}, {3, 5}, {6, 6}, {7, 1}, {1, 4}, {4, 0}}) {
    const Matrix A = random_matrix(rows, cols, random);
    PivotedQr qr(rows, cols);
    qr.compute(A);
    const Matrix Q = full_Q(qr);
    EXPECT_LT((Q.transpose() * Q - Matrix::Identity(rows, rows)).norm(), 1e-14);  // rounding, at most 7 × 7
    for (int j = 0; j < cols; ++j) {
      Vector column = Vector::Zero(rows);
      for (int i = 0; i <= std::min(j, rows - 1); ++i) column[i] = qr.R(i, j);
      qr.apply_Q(column);
      EXPECT_LT((column - A.col(qr.order()[j])).norm(), 1e-14 * (1.0 + A.norm()));  // rounding, at most 7 × 7
    }
  }
}

TEST(PivotedQr, RoundingDoesNotChooseAmongEquals) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix A = test::random_orthogonal(6, random);  // columns of length 1 ± ε, before and after every step
    PivotedQr qr(6, 6);
    qr.compute(A);
    EXPECT_EQ(qr.order(), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  }
}

TEST(PivotedQr, DiagonalDecreasesAndShowsTheRank) {
  std::mt19937 random(2);
  for (int r = 0; r <= 5; ++r) {
    const Matrix A = random_matrix(8, r, random) * random_matrix(r, 6, random);
    PivotedQr qr(8, 6);
    qr.compute(A);
    EXPECT_EQ(qr.rank(1e-10), r);
    for (int i = 1; i < qr.steps(); ++i) EXPECT_LE(std::abs(qr.R(i, i)), std::abs(qr.R(i - 1, i - 1)) * (1 + 1e-12));
  }
}

TEST(PivotedQr, SolvesWithR) {
  std::mt19937 random(3);
  const Matrix A = random_matrix(6, 4, random);
  PivotedQr qr(6, 4);
  qr.compute(A);
  const Matrix R = Matrix::NullaryExpr(4, 4, [&](Eigen::Index i, Eigen::Index j) {
    return i <= j ? qr.R(static_cast<int>(i), static_cast<int>(j)) : 0.0;
  });
  const Vector b = random_matrix(6, 1, random);
  Vector x = b;
  qr.solve_R(4, x);
  EXPECT_LT((R * x.head(4) - b.head(4)).norm(), 1e-13);  // ε κ(R) of a random 4 × 4
  x = b;
  qr.solve_Rt(4, x);
  EXPECT_LT((R.transpose() * x.head(4) - b.head(4)).norm(), 1e-13);  // ε κ(R)
  x = b;
  qr.apply_Q(x);
  qr.apply_Qt(x);
  EXPECT_LT((x - b).norm(), 1e-14);  // Q Qᵀ = 1, to rounding
}

}  // namespace
}  // namespace maggi
