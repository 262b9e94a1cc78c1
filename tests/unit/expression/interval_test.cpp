#include "expression/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "expression/tape.hpp"
#include "maggi/expert/parse.hpp"

namespace maggi::expression {
namespace {

/// Formulas over x and y.
struct Formulas {
  Graph graph;
  Id x = graph.variable("x"), y = graph.variable("y");

  Id operator()(const std::string& text) {
    Scope scope;
    scope.declare("x", x);
    scope.declare("y", y);
    return parse(text, graph, scope, {});
  }
  Interval bounds(const std::string& text, Interval in_x, Interval in_y = {}) {
    const Id id = (*this)(text);
    return expression::bounds(graph, id, {{x, in_x}, {y, in_y}});
  }
};

TEST(Interval, BoundsOfAnglesAndSquares) {
  Formulas f;
  const Interval loop = f.bounds("cos(x) + 2*sin(y) - 4", {});
  EXPECT_LT(loop.high, -0.999);
  EXPECT_GT(loop.low, -7.001);
  EXPECT_NEAR(f.bounds("x^2 + y^2 - 1", Interval::point(1.5)).low, 1.25, 1e-14);
  EXPECT_TRUE(f.bounds("x^2 - x*x*y", {}, Interval::point(1.0)).contains(7.0));  // x twice: wide, but not wrong
  EXPECT_TRUE(f.bounds("sqrt(x)", {-2.0, -1.0}).empty());
  EXPECT_EQ(f.bounds("sqrt(x)", {-2.0, 4.0}).low, 0.0);
  EXPECT_TRUE(f.bounds("1/x", {-1.0, 1.0}).contains(1e300));
  EXPECT_GE(f.bounds("cos(x)", {-0.1, 0.1}).high, 1.0);
  EXPECT_LT(f.bounds("cos(x)", {1.0, 2.0}).high, 0.55);
  EXPECT_TRUE(f.bounds("tan(x)", {1.0, 2.0}).contains(-1e9));
}

TEST(Interval, ContainsTheValueAtEveryPoint) {
  const std::string texts[] = {
      "x*y - y/x",         "(x - 2*y)^3 + x^4",       "sin(x)*cos(y) - tan(x)", "exp(x) - log(y^2 + 1)",
      "sqrt(x^2 + y^2)",   "atan2(x, y) + asin(x/9)", "acos(y/9)*abs(x)",       "min(x, y) - max(x, 2*y)",
      "sinh(x) + cosh(y)", "tanh(x)*atan(y)",         "x^(-2) + abs(y)^1.5",    "if(x < y, x^2, -y)",
      "sign(x)*y^5 - x^y",
  };
  std::mt19937 random(3);
  std::uniform_real_distribution<double> corner(-4.0, 4.0), part(0.0, 1.0);
  for (const std::string& text : texts) {
    Formulas f;
    const std::vector<Id> inputs{f.x, f.y}, outputs{f(text)};
    const Tape tape(f.graph, inputs, {}, outputs);
    std::vector<double> scratch(tape.slots());
    tape.prepare({}, scratch);
    for (int box = 0; box < 200; ++box) {
      const double a = corner(random), b = corner(random), c = corner(random), d = corner(random);
      const Interval x{std::min(a, b), std::max(a, b)}, y{std::min(c, d), std::max(c, d)};
      const Interval range = f.bounds(text, x, y);
      for (int k = 0; k < 20; ++k) {
        scratch[0] = std::lerp(x.low, x.high, k < 2 ? k : part(random));
        scratch[1] = std::lerp(y.low, y.high, k < 2 ? k : part(random));
        tape.run(scratch);
        const double value = scratch[tape.output(0)];
        if (std::isnan(value)) continue;
        ASSERT_TRUE(range.contains(value)) << text << " at " << scratch[0] << ", " << scratch[1] << ": " << value
                                           << " not in " << range.low << " ... " << range.high;
      }
    }
  }
}

}  // namespace
}  // namespace maggi::expression
