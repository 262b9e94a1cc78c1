#include "expression/tidy.hpp"

#include <gtest/gtest.h>

#include "maggi/expert/print.hpp"
#include "support/expression.hpp"
#include "support/formula.hpp"

namespace maggi::expression {
namespace {

class TidyTest : public testing::Test {
 protected:
  support::World world{"m", "n", "l", "x", "y", "z", "x'", "y'"};
  std::string text(const std::string& formula, Fractions fractions = Fractions::keep) {
    return print(world.graph, tidy(world.graph, world(formula), fractions));
  }
};

TEST_F(TidyTest, EqualFactorsAreAPower) {
  EXPECT_EQ(text("-x'*sin(x)*x'*l"), "-l*sin(x)*x'^2");
  EXPECT_EQ(text("x*(y*x)"), "y*x^2");
  EXPECT_EQ(text("x'*sin(x)"), "sin(x)*x'");
  EXPECT_EQ(text("(x*y)^2*x"), "x^3*y^2");
  EXPECT_EQ(text("x/y/y"), "x/y^2");
}

TEST_F(TidyTest, WhatAllTermsShareStandsInFront) {
  EXPECT_EQ(text("m*l^2 + n*l^2/3"), "l^2*(m + n/3)");
  EXPECT_EQ(text("0.3333333333333333*n*l^2 + m*l^2"), "l^2*(m + n/3)");
  EXPECT_EQ(text("-x*l - y*l"), "-l*(x + y)");
  EXPECT_EQ(text("x/l + y/l"), "(x + y)/l");
  EXPECT_EQ(text("x*y + y*x"), "2*x*y");
  EXPECT_EQ(text("x*y - y*x"), "0");
}

TEST_F(TidyTest, AdditionTheorems) {
  EXPECT_EQ(text("sin(x)*cos(y) - cos(x)*sin(y)"), "-sin(y - x)");
  EXPECT_EQ(text("sin(x)*cos(y) + cos(x)*sin(y)"), "sin(x + y)");
  EXPECT_EQ(text("cos(x)*cos(y) + sin(x)*sin(y)"), "cos(y - x)");
  EXPECT_EQ(text("l*cos(x)*m*cos(y) - sin(x)*l*sin(y)*m"), "m*l*cos(x + y)");
  EXPECT_EQ(text("l*cos(x)^2 + sin(x)*l*sin(x)"), "l");
  EXPECT_EQ(text("m*sin(x)*cos(y) - n*cos(x)*sin(y)"), "m*sin(x)*cos(y) - n*cos(x)*sin(y)");  // unequal weights
}

TEST_F(TidyTest, CancelsOnlyWhenAsked) {
  EXPECT_EQ(text("m*x/(l*x)"), "m*x/(l*x)");
  EXPECT_EQ(text("m*x/(l*x)", Fractions::cancel), "m/l");
  EXPECT_EQ(text("x/0.7"), "x/0.7");
  EXPECT_EQ(text("x/0"), "x/0");
  EXPECT_EQ(text("0/x"), "0/x");
  EXPECT_EQ(text("0/x", Fractions::cancel), "0");
}

TEST(TidyProperty, KeepsTheValue) {
  // of random formulas at random points: equal up to rounding, which cancellation in a sum may magnify
  support::FormulaGenerator generator(11, 3);
  int compared = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    support::World world(3);
    const Id e = world(generator.draw(1 + trial % 6)->text());
    const Id tidied = tidy(world.graph, e);
    for (int point = 0; point < 3; ++point) {
      std::vector<double> values;
      for (int k = 0; k < 3; ++k) values.push_back(generator.real(-3.0, 3.0));
      const double expected = support::walk(world, e, values), found = support::walk(world, tidied, values);
      // a nearby point tells how sensitive the formula is there; where rounding rules nothing can be compared
      std::vector<double> nearby = values;
      for (double& value : nearby) value *= 1.0 + 1e-13;
      const double moved = support::walk(world, e, nearby);
      if (!std::isfinite(expected) || std::abs(moved - expected) > 1e-6 * std::abs(expected)) continue;
      EXPECT_NEAR(found, expected, 1e-9 * (1.0 + std::abs(expected)) + 100.0 * std::abs(moved - expected))
          << print(world.graph, e) << "\nbecame " << print(world.graph, tidied);
      ++compared;
    }
  }
  EXPECT_GT(compared, 5000);
}

}  // namespace
}  // namespace maggi::expression
