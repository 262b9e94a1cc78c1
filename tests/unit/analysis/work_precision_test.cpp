#include "analysis/work_precision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace maggi {
namespace {

constexpr double rounding = 1e-12;  // relative, of a few logarithms and powers

/// A method of order p: error = rtol, work ∝ rtol^(−1/p).
WorkPoint point(double rtol, double order = 5) {
  const double work = std::pow(rtol, -1 / order);
  return {.rtol = rtol, .evaluations = std::lround(1e6 * work), .seconds = work, .end_error = rtol};
}

TEST(WorkTo, APowerLawIsExact) {
  const std::vector<WorkPoint> points{point(1e-8), point(1e-2), point(1e-5)};  // in any order
  for (const double accuracy : {1e-2, 3e-4, 1e-5, 1e-6, 1e-8}) {
    const auto work = work_to(accuracy, points);
    ASSERT_TRUE(work);
    EXPECT_NEAR(work->seconds, std::pow(accuracy, -0.2), rounding * work->seconds);
    EXPECT_NEAR(work->evaluations, 1e6 * std::pow(accuracy, -0.2), 1.0);  // they are whole numbers
  }
}

TEST(WorkTo, TheLoosestRunIsTheLeastWork) {
  EXPECT_EQ(work_to(0.5, std::vector{point(1e-2), point(1e-4)})->seconds, point(1e-2).seconds);
  EXPECT_EQ(work_to(0.5, std::vector{point(1e-2)})->seconds, point(1e-2).seconds);
}

TEST(WorkTo, NothingWhereNoRunComesClose) {
  EXPECT_FALSE(work_to(1e-9, std::vector{point(1e-2), point(1e-8)}));
  EXPECT_FALSE(work_to(1e-3, {}));
  WorkPoint failed = point(1e-8);
  failed.failure = "step too small";
  failed.end_error.reset();
  EXPECT_FALSE(work_to(1e-6, std::vector{point(1e-2), failed}));
}

TEST(WorkTo, AnEndWithoutErrorIsAtRounding) {
  WorkPoint exact = point(1e-6);
  exact.end_error = 0.0;
  const auto work = work_to(1e-8, std::vector{point(1e-2), exact});
  ASSERT_TRUE(work);
  EXPECT_GT(work->seconds, point(1e-2).seconds);
  EXPECT_LT(work->seconds, exact.seconds);
  EXPECT_NEAR(work_to(1e-30, std::vector{point(1e-2), exact})->seconds, exact.seconds, rounding * exact.seconds);
}

}  // namespace
}  // namespace maggi
