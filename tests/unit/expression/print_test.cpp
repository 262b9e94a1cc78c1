#include "maggi/expert/print.hpp"

#include <gtest/gtest.h>

#include "support/expression.hpp"

namespace maggi::expression {
namespace {

class PrintTest : public testing::Test {
 protected:
  support::World world{"x", "y", "z", "x'", "x''", "m", "theta_1", "theta_1'", "crank.x", "L12", "mass", "phi"};
  std::string text(const std::string& formula) { return print(world.graph, world(formula)); }
  std::string latex(const std::string& formula) { return print_latex(world.graph, world(formula)); }
};

TEST_F(PrintTest, NeedsFewParentheses) {
  for (const char* formula :
       {"x + y - z",       "x - (y - z)", "x*y*z",       "x*y/z",    "x/(y*z)",     "x/(y/z)",    "-x^2",
        "(-2)^x",          "x^-1",        "x^y^z",       "(x^y)^z",  "2*x*y",       "-2*x",       "-x*y",
        "-(x + y)",        "z*(x + y)",   "x*(y + z)^2", "sin(x)^2", "atan2(y, x)", "x < y",      "z*(x < y)",
        "if(x < y, x, y)", "min(x, y)",   "x' + x''",    "crank.x",  "1e+20*x",     "0.1",        "x - 1",
        "x + 1",           "1 - x",       "pi*x",        "2*x/y",    "x/3*2",       "-z*(x - y)", "-((x - y)*sin(z))",
        "x <= y",          "x == y",      "x != y",      "0/x",      "1/0"})
    EXPECT_EQ(text(formula), formula);
}

TEST_F(PrintTest, NormalForm) {
  EXPECT_EQ(text("y + x"), "x + y");
  EXPECT_EQ(text("m/2*x'^2"), "0.5*m*x'^2");
  EXPECT_EQ(text("x*(y*z)"), "y*z*x");
  EXPECT_EQ(text("x + (y + z)"), "y + z + x");
  EXPECT_EQ(text("x > y"), "y < x");
  EXPECT_EQ(text("pow(x, 2)"), "x^2");
}

/// Found by the fuzzer.
TEST_F(PrintTest, ReadsBackWhereNumbersStandInTheMiddle) {
  for (const char* formula : {"-(x/3*y*-2/3/z)", "x/3*2/y/3*5/7*2", "1e300*x*1e300/y*3", "-(1e300*(1e300*x)/y)"}) {
    const Id e = world(formula);
    EXPECT_EQ(world(print(world.graph, e)), e) << formula << " printed as " << print(world.graph, e);
  }
}

TEST_F(PrintTest, DeepFormulasNeedNoStack) {
  Graph& g = world.graph;
  Id e = world.variables[0];
  for (int k = 0; k < 100000; ++k) e = g.unary(Op::sin, g.add(e, world.variables[1]));
  EXPECT_GT(print(g, e).size(), 800000u);
  EXPECT_GT(print_latex(g, e).size(), 800000u);
}

TEST_F(PrintTest, RefusesAnEndlessText) {
  Graph& g = world.graph;
  Id e = world.variables[0];
  for (int k = 0; k < 60; ++k) e = g.add(g.unary(Op::sin, e), g.unary(Op::cos, e));
  EXPECT_THROW(print(g, e), Error);
  EXPECT_THROW(print_latex(g, e), Error);
}

TEST_F(PrintTest, Latex) {
  EXPECT_EQ(latex("m*x"), "x \\, m");
  EXPECT_EQ(latex("m/2*x'^2"), "\\frac{1}{2} \\, m \\, \\dot{x}^{2}");
  EXPECT_EQ(latex("x/y"), "\\frac{x}{y}");
  EXPECT_EQ(latex("(x + y)/2/z"), "\\frac{1}{2} \\, \\frac{x + y}{z}");
  EXPECT_EQ(latex("x''"), "\\ddot{x}");
  EXPECT_EQ(latex("sin(theta_1)^2"), "\\sin^{2}(\\theta_{1})");
  EXPECT_EQ(latex("theta_1'"), "\\dot{\\theta}_{1}");
  EXPECT_EQ(latex("cos(x + phi)"), "\\cos\\left(x + \\phi\\right)");
  EXPECT_EQ(latex("(x + y)*z"), "z \\, \\left(x + y\\right)");
  EXPECT_EQ(latex("(x/y)^2"), "\\left(\\frac{x}{y}\\right)^{2}");
  EXPECT_EQ(latex("sqrt(x)"), "\\sqrt{x}");
  EXPECT_EQ(latex("abs(x)"), "\\left|x\\right|");
  EXPECT_EQ(latex("crank.x"), "x_{\\mathrm{crank}}");
  EXPECT_EQ(latex("L12"), "L_{12}");
  EXPECT_EQ(latex("mass"), "\\mathrm{mass}");
  EXPECT_EQ(latex("1.5e-7*x"), "1.5 \\cdot 10^{-7} \\, x");
  EXPECT_EQ(latex("x^y"), "x^{y}");
  EXPECT_EQ(latex("atan2(y, x)"), "\\operatorname{atan2}\\left(y, x\\right)");
  EXPECT_EQ(latex("x <= pi"), "x \\le \\pi");
  EXPECT_EQ(latex("if(x < y, x, -y)"), "\\begin{cases} x & \\text{if } x < y \\\\ -y & \\text{otherwise} \\end{cases}");
}

}  // namespace
}  // namespace maggi::expression
