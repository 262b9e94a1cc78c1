#include "base/sincos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "base/largest.hpp"

namespace maggi {
namespace {

double ulps(double found, long double exact) {
  const double rounded = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(rounded, INFINITY) - rounded;
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact) / static_cast<long double>(ulp));
}

/// Largest error in units of the last place; long double has 11 more bits.
double worst(const std::vector<double>& arguments) {
  Largest error;
  for (const double x : arguments) {
    double s = 0.0, c = 0.0;
    sincos<1>(&x, &s, &c);
    error.note(ulps(s, std::sin(static_cast<long double>(x))));
    error.note(ulps(c, std::cos(static_cast<long double>(x))));
  }
  return error.value();
}

TEST(Sincos, IsAccurateToOneUlp) {
  std::mt19937_64 random(1);
  for (const double range : {1e-8, 0.1, 0.8, 3.2, 10.0, 1e3, 1e6}) {
    std::uniform_real_distribution<double> draw(-range, range);
    std::vector<double> arguments(20000);
    for (double& x : arguments) x = draw(random);
    EXPECT_LT(worst(arguments), 0.9) << "|x| < " << range;
  }
}

TEST(Sincos, IsAccurateNextToMultiplesOfAQuarterTurn) {
  std::vector<double> arguments;
  for (int k = -20000; k <= 20000; k += 7) {
    const double x = k * (std::numbers::pi / 4);
    for (const double y : {std::nextafter(x, -INFINITY), x, std::nextafter(x, INFINITY)}) arguments.push_back(y);
  }
  EXPECT_LT(worst(arguments), 0.9);
}

TEST(Sincos, BitsDoNotDependOnHowMany) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> draw(-10.0, 10.0);
  for (int count = 0; count <= 27; ++count) {
    std::vector<double> x(count), s(count), c(count);
    for (double& value : x) value = draw(random);
    if (count > 5) x[5] = 3e6;  // libm's
    sincos(count, x.data(), s.data(), c.data());
    for (int i = 0; i < count; ++i) {
      double sine, cosine;
      sincos<1>(&x[i], &sine, &cosine);
      EXPECT_EQ(s[i], sine) << i << " of " << count;
      EXPECT_EQ(c[i], cosine) << i << " of " << count;
    }
  }
}

TEST(Sincos, SpecialArguments) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double x[] = {0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 1e300, 5e-324, 1e7};
  double s[8], c[8];
  sincos<8>(x, s, c);
  EXPECT_EQ(s[0], 0.0);
  EXPECT_EQ(c[0], 1.0);
  for (const int k : {2, 3, 4}) {
    EXPECT_TRUE(std::isnan(s[k]));
    EXPECT_TRUE(std::isnan(c[k]));
  }
  EXPECT_EQ(s[5], std::sin(1e300));
  EXPECT_EQ(c[5], std::cos(1e300));
  EXPECT_EQ(s[6], 5e-324);
  EXPECT_EQ(c[7], std::cos(1e7));
}

}  // namespace
}  // namespace maggi
