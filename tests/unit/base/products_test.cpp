#include "base/products.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/largest.hpp"
#include "maggi/expert/linear.hpp"

namespace maggi {
namespace {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The definition, entry by entry.
Matrix product(const Matrix& A, const Matrix& B) {
  Matrix result = Matrix::Zero(A.rows(), B.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < B.cols(); ++j)
      for (Eigen::Index k = 0; k < A.cols(); ++k) result(i, j) += A(i, k) * B(k, j);
  return result;
}

struct Sizes {
  int rows, depth, cols;
};

class Products : public testing::TestWithParam<Sizes> {
 protected:
  const int rows = GetParam().rows, depth = GetParam().depth, cols = GetParam().cols;
  const Matrix A = Matrix::Random(rows, depth), B = Matrix::Random(depth, cols), C = Matrix::Random(rows, cols);
  const Matrix AB = product(A, B);
  /// Entries are at most 1, so each of `depth` terms rounds by at most ε, in whatever order they are added.
  const double rounding = 4.0 * (depth + 4) * std::numeric_limits<double>::epsilon();

  void expect(const Matrix& found, const Matrix& expected) const {
    ASSERT_EQ(found.rows(), expected.rows());
    ASSERT_EQ(found.cols(), expected.cols());
    EXPECT_LE(largest(found - expected), rounding);
  }
};

TEST_P(Products, OfOperandsInEveryOrder) {
  const RowMajorMatrix A_by_rows = A, B_by_rows = B;
  expect(A * B, AB);
  expect(A_by_rows * B, AB);
  expect(A * B_by_rows, AB);
  expect(A_by_rows * B_by_rows, AB);
  expect(B.transpose() * A.transpose(), AB.transpose());
  const RowMajorMatrix by_rows = A * B;
  expect(by_rows, AB);
}

TEST_P(Products, AssignAddAndSubtract) {
  Matrix D = C;
  D.noalias() += A * B;
  expect(D, C + AB);
  D = C;
  D.noalias() -= A * B;
  expect(D, C - AB);
  D = C;
  D -= 0.5 * A * -B;
  expect(D, C + 0.5 * AB);
  D = C.transpose();
  D.transpose() += A * B;
  expect(D, (C + AB).transpose());
}

TEST_P(Products, OfBlocksAndExpressions) {
  Matrix large = Matrix::Ones(rows + 2, cols + 3);
  large.block(1, 2, rows, cols) = A * B;
  expect(large.block(1, 2, rows, cols), AB);
  large.block(1, 2, rows, cols).setOnes();
  expect(large, Matrix::Ones(rows + 2, cols + 3));
  expect((A + A) * B, 2.0 * AB);
  expect(A * B * 0.25, 0.25 * AB);
  std::vector<int> even;
  for (int i = 0; i < rows; i += 2) even.push_back(i);
  Matrix D = C;
  D(even, Eigen::all) = A(even, Eigen::all) * B;
  Matrix expected = C;
  for (const int i : even) expected.row(i) = AB.row(i);
  expect(D, expected);
}

INSTANTIATE_TEST_SUITE_P(SmallLargeAndEmpty, Products,
                         testing::Values(Sizes{1, 1, 1}, Sizes{3, 4, 5}, Sizes{7, 6, 6}, Sizes{7, 6, 7},
                                         Sizes{1, 30, 9}, Sizes{9, 30, 1}, Sizes{40, 3, 50}, Sizes{33, 47, 29},
                                         Sizes{4, 0, 3}, Sizes{0, 5, 3}, Sizes{30, 0, 30}));

}  // namespace
}  // namespace maggi
