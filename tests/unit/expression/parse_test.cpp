#include "maggi/expert/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/expression.hpp"

namespace maggi::expression {
namespace {

double value(const std::string& text, double x = 0.0, double y = 0.0) {
  support::World world{"x", "y", "x'", "crank.phi", "crank.phi'", "t"};
  return support::walk(world, world(text), {x, y, 10.0, 20.0, 30.0, 40.0});
}

TEST(Parse, Numbers) {
  EXPECT_EQ(value("1"), 1.0);
  EXPECT_EQ(value("1.5"), 1.5);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2.0);
  EXPECT_EQ(value("1e3"), 1000.0);
  EXPECT_EQ(value("1.5E-3"), 0.0015);
  EXPECT_EQ(value("2e+2"), 200.0);
  EXPECT_EQ(value("4.9e-324"), 5e-324);
  EXPECT_EQ(value("pi"), std::numbers::pi);
}

TEST(Parse, Precedence) {
  EXPECT_EQ(value("1 + 2*3"), 7.0);
  EXPECT_EQ(value("(1 + 2)*3"), 9.0);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("8 - 4 - 2"), 2.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("-x^2", 3.0), -9.0);
  EXPECT_EQ(value("2*-x", 3.0), -6.0);
  EXPECT_EQ(value("+x - -y", 3.0, 4.0), 7.0);
  EXPECT_EQ(value("2*x^2", 3.0), 18.0);
}

TEST(Parse, Comparisons) {
  EXPECT_EQ(value("x < y", 1.0, 2.0), 1.0);
  EXPECT_EQ(value("x > y", 1.0, 2.0), 0.0);
  EXPECT_EQ(value("x <= 1", 1.0), 1.0);
  EXPECT_EQ(value("x >= 1.5", 1.0), 0.0);
  EXPECT_EQ(value("x + 1 == y", 1.0, 2.0), 1.0);
  EXPECT_EQ(value("x != y", 1.0, 2.0), 1.0);
  EXPECT_EQ(value("(x < y)*5", 1.0, 2.0), 5.0);
}

TEST(Parse, Functions) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, double>>{{"sin(x)", std::sin(0.3)},
                                                                                  {"cos(x)", std::cos(0.3)},
                                                                                  {"tan(x)", std::tan(0.3)},
                                                                                  {"asin(x)", std::asin(0.3)},
                                                                                  {"acos(x)", std::acos(0.3)},
                                                                                  {"atan(x)", std::atan(0.3)},
                                                                                  {"sinh(x)", std::sinh(0.3)},
                                                                                  {"cosh(x)", std::cosh(0.3)},
                                                                                  {"tanh(x)", std::tanh(0.3)},
                                                                                  {"exp(x)", std::exp(0.3)},
                                                                                  {"log(x)", std::log(0.3)},
                                                                                  {"sqrt(x)", std::sqrt(0.3)},
                                                                                  {"abs(-x)", 0.3},
                                                                                  {"sign(-x)", -1.0},
                                                                                  {"min(x, y)", 0.3},
                                                                                  {"max(x, y)", 0.7},
                                                                                  {"pow(x, y)", std::pow(0.3, 0.7)},
                                                                                  {"atan2(x, y)", std::atan2(0.3, 0.7)},
                                                                                  {"if(x < y, 5, 6)", 5.0},
                                                                                  {"if(x > y, 5, 6)", 6.0}})
    EXPECT_DOUBLE_EQ(value(text, 0.3, 0.7), expected) << text;
}

TEST(Parse, NamesCarryPrimesAndOwners) {
  EXPECT_EQ(value("x'"), 10.0);
  EXPECT_EQ(value("crank.phi"), 20.0);
  EXPECT_EQ(value("crank.phi'*2"), 60.0);
  EXPECT_EQ(value("t"), 40.0);
}

TEST(Parse, SpaceAndLinesAreFree) { EXPECT_EQ(value(" \t 1\n +\r\n 2 "), 3.0); }

TEST(Parse, Equation) {
  support::World world{"x", "y"};
  const auto equation = [&](std::string_view text) {
    return parse_equation(text, world.graph, world.scope, {"f", 1, 1});
  };
  EXPECT_EQ(equation("x^2 = y"), world("x^2 - y"));
  EXPECT_EQ(equation("x^2 - y"), world("x^2 - y"));
  EXPECT_EQ(equation("x = (x < y)*2"), world("x - (x < y)*2"));
}

TEST(Parse, DepthIsLimitedNotLength) {
  std::string sum = "x", nested = "x";
  for (int k = 0; k < 20000; ++k) sum += "+y";
  for (int k = 0; k < max_depth - 1; ++k) nested = "(" + nested + ")";
  EXPECT_EQ(value(sum, 1.0, 0.5), 10001.0);
  EXPECT_EQ(value(nested, 3.0), 3.0);
}

TEST(Scope, KnowsWhatIsForbidden) {
  Graph graph;
  Scope scope;
  scope.declare("x", graph.variable("x"));
  scope.forbid("x'", "a position constraint cannot contain a velocity", "use velocity = \"...\"");
  EXPECT_NE(scope.known("x"), nullptr);
  EXPECT_EQ(scope.known("x'"), nullptr);
  EXPECT_EQ(scope.known("y"), nullptr);
  try {
    parse("x + x'", graph, scope, {"m.toml", 3, 10});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "m.toml:3:14: a position constraint cannot contain a velocity (use velocity = \"...\")");
  }
}

TEST(Names, ReservedAndValid) {
  EXPECT_TRUE(is_reserved("sin"));
  EXPECT_TRUE(is_reserved("pi"));
  EXPECT_TRUE(is_reserved("t"));
  EXPECT_TRUE(is_reserved("if"));
  EXPECT_FALSE(is_reserved("x"));
  EXPECT_TRUE(is_name("crank_2"));
  EXPECT_TRUE(is_name("_a"));
  EXPECT_FALSE(is_name("2a"));
  EXPECT_FALSE(is_name("a.b"));
  EXPECT_FALSE(is_name("a'"));
  EXPECT_FALSE(is_name(""));
  EXPECT_FALSE(is_name("größe"));
}

}  // namespace
}  // namespace maggi::expression
