#include "results/units.hpp"

#include <gtest/gtest.h>

namespace maggi::results {
namespace {

TEST(Units, PerSecond) {
  EXPECT_EQ(per_second("m"), "m/s");
  EXPECT_EQ(per_second("m/s"), "m/s^2");
  EXPECT_EQ(per_second("kg m^2"), "kg m^2/s");
  EXPECT_EQ(per_second(""), "");
  EXPECT_EQ(per_second("m/s^2"), "");  // not guessed
  EXPECT_EQ(per_second("m/s/s"), "");
}

TEST(Units, ForceAlong) {
  EXPECT_EQ(force_along("m"), "N");
  EXPECT_EQ(force_along("rad"), "N m");
  EXPECT_EQ(force_along("furlong"), "");
}

TEST(Units, Multipliers) {
  EXPECT_EQ(multiplier_unit("m", Level::position), "N");
  EXPECT_EQ(multiplier_unit("rad/s", Level::velocity), "N m");
  EXPECT_EQ(multiplier_unit("m/s^2", Level::acceleration), "N");
  EXPECT_EQ(multiplier_unit("m", Level::velocity), "");  // does not fit: left open
}

}  // namespace
}  // namespace maggi::results
