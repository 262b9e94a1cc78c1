#include "base/largest.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Vector counted(int size) { return Vector::LinSpaced(size, 1.0, size); }

TEST(Largest, OfAnExpressionIsAMagnitude) {
  for (int size = 1; size <= 9; ++size)
    for (int i = 0; i < size; ++i) {
      Vector x = counted(size);
      x[i] = -20.0;
      EXPECT_EQ(largest(x), 20.0);
      EXPECT_EQ(largest(x.transpose()), 20.0);
      EXPECT_EQ(largest(x - counted(size)), 21.0 + i);
      EXPECT_EQ(largest(x * x.transpose()), 400.0);
      EXPECT_EQ(largest(std::vector<double>(x.begin(), x.end())), 20.0);
      Eigen::Index where = -1;
      EXPECT_EQ(largest(x, &where), 20.0);
      EXPECT_EQ(where, i);
    }
  EXPECT_EQ(largest(Vector()), 0.0);
  EXPECT_EQ(largest(std::vector<double>()), 0.0);
  EXPECT_EQ(largest(Matrix(0, 3)), 0.0);
  EXPECT_EQ(largest(Vector::Zero(3)), 0.0);
}

TEST(Largest, NotANumberIsInfiniteWhereverItStands) {
  for (const double value : {nan, -nan, infinity, -infinity})
    for (int size = 1; size <= 9; ++size)
      for (int i = 0; i < size; ++i) {
        Vector x = counted(size);
        x[i] = value;
        EXPECT_EQ(largest(x), infinity) << i << " of " << size;
        EXPECT_EQ(largest(x.transpose()), infinity) << i << " of " << size;
        EXPECT_EQ(largest(x - counted(size)), infinity) << i << " of " << size;
        EXPECT_EQ(largest(x.reverse()), infinity) << i << " of " << size;
        EXPECT_EQ(largest(std::vector<double>(x.begin(), x.end())), infinity) << i << " of " << size;
        Matrix A = counted(size) * counted(3).transpose();
        A(i, 1) = value;
        EXPECT_EQ(largest(A), infinity);
        EXPECT_EQ(largest(A.row(i)), infinity);
        EXPECT_EQ(largest(A.transpose()), infinity);
        Eigen::Index where = -1, row = -1, col = -1;
        EXPECT_EQ(largest(x, &where), infinity);
        EXPECT_EQ(where, i);
        EXPECT_EQ(largest(A, &row, &col), infinity);
        EXPECT_EQ(row, i);
        EXPECT_EQ(col, 1);

        Largest one_by_one;
        int worst = -1;
        for (int k = 0; k < size; ++k)
          if (one_by_one.note(x[k])) worst = k;
        EXPECT_EQ(one_by_one.value(), infinity) << i << " of " << size;
        EXPECT_EQ(worst, i);
      }
}

TEST(Largest, AccumulatesMagnitudes) {
  Largest size(0.5);
  EXPECT_FALSE(size.note(-0.25));
  EXPECT_EQ(size.value(), 0.5);
  EXPECT_TRUE(size.note(-2.0));
  EXPECT_FALSE(size.note(2.0));
  EXPECT_TRUE(size.note(Vector{{1.0, -3.0}}));
  EXPECT_EQ(size.value(), 3.0);
  EXPECT_TRUE(size.note(Vector{{nan, 1.0}}));
  EXPECT_FALSE(size.note(nan)) << "the first one stays the worst";
  EXPECT_EQ(size.value(), infinity);
  EXPECT_EQ(Largest(nan).value(), infinity);
}

TEST(Largest, OfTwo) {
  EXPECT_EQ(larger(1.0, -2.0), 2.0);
  EXPECT_EQ(larger(3.0, -2.0), 3.0);
  for (const auto& [a, b] : {std::pair{nan, 1.0}, {1.0, nan}, {nan, nan}, {infinity, nan}, {nan, infinity}})
    EXPECT_EQ(larger(a, b), infinity);
}

TEST(Largest, NothingIsWithinAnInfiniteBound) {
  EXPECT_TRUE(within(1.0, 1.0));
  EXPECT_TRUE(within(0.0, 0.0));
  EXPECT_FALSE(within(1.1, 1.0));
  for (const auto& [error, bound] : {std::pair{nan, 1.0}, {1.0, nan}, {infinity, infinity}, {1.0, infinity}})
    EXPECT_FALSE(within(error, bound));
}

}  // namespace
}  // namespace maggi
