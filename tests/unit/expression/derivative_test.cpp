#include "maggi/expert/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "maggi/expert/print.hpp"
#include "support/expression.hpp"

namespace maggi::expression {
namespace {

/// ∂/∂x as text: short, without dead terms.
std::string derived(const std::string& formula) {
  support::World world{"x", "y", "n"};
  Derivative D(world.graph, {{world.variables[0], world.graph.constant(1.0)}});
  return print(world.graph, D(world(formula)));
}

TEST(Derivative, Rules) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"3", "0"},
      {"y", "0"},
      {"x", "1"},
      {"x*y", "y"},
      {"x/y", "1/y"},
      {"y/x", "-y/x^2"},
      {"1/x", "-1/x^2"},
      {"x^2", "2*x"},
      {"x^3", "3*x^2"},
      {"n/2*x^2", "x*n"},
      {"x^-1", "-x^-2"},
      {"x^n", "n*x^(n - 1)"},
      {"y^x", "y^x*log(y)"},
      {"sqrt(x)", "0.5/sqrt(x)"},
      {"sqrt(x^2 + y^2)", "x/sqrt(x^2 + y^2)"},
      {"sin(2*x)", "2*cos(2*x)"},
      {"cos(x)", "-sin(x)"},
      {"tan(x)", "tan(x)^2 + 1"},
      {"asin(x)", "1/sqrt(1 - x^2)"},
      {"acos(x)", "-1/sqrt(1 - x^2)"},
      {"atan(x)", "1/(x^2 + 1)"},
      {"atan2(y, x)", "-y/(x^2 + y^2)"},
      {"atan2(x, y)", "y/(y^2 + x^2)"},
      {"sinh(x)", "cosh(x)"},
      {"cosh(x)", "sinh(x)"},
      {"tanh(x)", "1 - tanh(x)^2"},
      {"exp(3*x)", "3*exp(3*x)"},
      {"log(x)", "1/x"},
      {"abs(x)", "sign(x)"},
      {"sign(x)", "0"},
      {"x < y", "0"},
      {"min(x, y)", "if(x < y, 1, 0)"},
      {"max(x, 2*y)", "if(2*y < x, 1, 0)"},
      {"if(x < y, x^2, y)", "if(x < y, 2*x, 0)"},
  };
  for (const auto& [formula, expected] : table) EXPECT_EQ(derived(formula), expected) << "of " << formula;
}

TEST(Derivative, ConstantExponentBringsNoLogarithm) {
  support::World world{"x", "n"};
  Derivative D(world.graph, {{world.variables[0], world.graph.constant(1.0)}});
  D(D(world("(x^2 + 1)^n")));
  for (Id id = 0; id < world.graph.size(); ++id) EXPECT_NE(world.graph[id].op, Op::log);
}

TEST(Derivative, SharesWhatFormulasHaveInCommon) {
  support::World world{"x"};
  Derivative D(world.graph, {{world.variables[0], world.graph.constant(1.0)}});
  const Id e = world("exp(sin(x)*cos(x))");
  const Id first = D(e);
  const std::size_t size = world.graph.size();
  EXPECT_EQ(D(e), first);
  EXPECT_EQ(world.graph.size(), size);
}

TEST(Derivative, DeepFormulasNeedNoStack) {
  support::World world{"x"};
  Graph& g = world.graph;
  const Id x = world.variables[0];
  Id sum = g.constant(0.0), nested = x;
  for (int k = 0; k < 10000; ++k)
    sum = g.add(sum, g.multiply(g.constant(k + 0.5), g.unary(Op::sin, g.multiply(g.constant(k + 1.0), x))));
  for (int k = 0; k < 100000; ++k) nested = g.unary(Op::atan, g.add(nested, x));
  Derivative D(g, {{x, g.constant(1.0)}});
  const std::vector<double> found = support::run(world, {D(sum), D(nested)}, {0.0});
  double expected = 0.0;
  for (int k = 0; k < 10000; ++k) expected += (k + 0.5) * (k + 1.0);
  EXPECT_NEAR(found[0], expected, 1e-12 * expected);
  EXPECT_DOUBLE_EQ(found[1], 100001.0);
  EXPECT_TRUE(g.depends_on(nested, {x}));
}

}  // namespace
}  // namespace maggi::expression
