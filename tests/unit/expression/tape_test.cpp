#include "expression/tape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/expression.hpp"

namespace maggi::expression {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Tape tape_of(support::World& world, std::initializer_list<const char*> outputs) {
  std::vector<Id> ids;
  for (const char* text : outputs) ids.push_back(world(text));
  return Tape(world.graph, world.variables, {}, ids);
}

TEST(Tape, Evaluates) {
  support::World world{"x", "y"};
  EXPECT_EQ(support::run(world, {world("x*y + 1"), world("x"), world("7")}, {2.0, 3.0}),
            (std::vector<double>{7.0, 2.0, 7.0}));
}

TEST(Tape, EmptyTapeDoesNothing) {
  const Tape tape;
  std::vector<double> scratch;
  tape.prepare({}, scratch);
  tape.run(scratch);
  EXPECT_EQ(tape.slots(), 0u);
}

TEST(Tape, FusesSineAndCosine) {
  support::World world{"x"};
  EXPECT_EQ(tape_of(world, {"sin(x)", "cos(x)"}).instructions(), 1u);
  EXPECT_EQ(tape_of(world, {"sin(x)", "cos(2*x)"}).instructions(), 3u);
}

TEST(Tape, FusesProductsUsedOnce) {
  support::World world{"x", "y", "z"};
  EXPECT_EQ(tape_of(world, {"x*y + z"}).instructions(), 1u);
  EXPECT_EQ(tape_of(world, {"x*y - z"}).instructions(), 1u);
  EXPECT_EQ(tape_of(world, {"z - x*y"}).instructions(), 1u);
  EXPECT_EQ(tape_of(world, {"x*y + z", "x*y"}).instructions(), 2u);
  EXPECT_EQ(tape_of(world, {"x*y + y*z"}).instructions(), 2u);
  EXPECT_EQ(support::run(world, {world("z - x*y"), world("x*y - z"), world("y*z + x")}, {2.0, 3.0, 5.0}),
            (std::vector<double>{-1.0, 1.0, 17.0}));
}

TEST(Tape, LowersPowers) {
  support::World world{"x"};
  EXPECT_EQ(tape_of(world, {"x^2"}).instructions(), 1u);
  EXPECT_EQ(tape_of(world, {"x^3"}).instructions(), 2u);
  EXPECT_EQ(tape_of(world, {"x^4"}).instructions(), 2u);
  EXPECT_EQ(tape_of(world, {"x^2", "x^3", "x^4"}).instructions(), 3u);  // they share x^2
  EXPECT_EQ(tape_of(world, {"x^-1"}).instructions(), 1u);
  EXPECT_EQ(tape_of(world, {"x^0.5"}).instructions(), 1u);
  const std::vector<const char*> texts{"x^2",  "x^3",  "x^4",  "x^5",   "x^7",    "x^8",   "x^9",
                                       "x^-1", "x^-2", "x^-3", "x^0.5", "x^-0.5", "x^1.5", "x^2.5"};
  for (const char* text : texts)
    for (const double x : {0.3, 1.7, 12.5})
      EXPECT_NEAR(support::run(world, {world(text)}, {x})[0] / support::walk(world, world(text), {x}), 1.0, 4 * 2.3e-16)
          << text << " at " << x;
}

TEST(Tape, HoistsWhatDependsOnParametersOnly) {
  support::World world{"x", "m", "k"};
  const Id x[] = {world.variables[0]}, parameters[] = {world.variables[1], world.variables[2]};
  const Id outputs[] = {world("sqrt(k/m)*x"), world("m*k")};
  const Tape tape(world.graph, x, parameters, outputs);
  EXPECT_EQ(tape.instructions(), 1u);
  std::vector<double> scratch(tape.slots());
  tape.prepare(std::vector{2.0, 8.0}, scratch);
  for (const double input : {3.0, 5.0}) {
    scratch[0] = input;
    tape.run(scratch);
    EXPECT_EQ(scratch[tape.output(0)], 2.0 * input);
    EXPECT_EQ(scratch[tape.output(1)], 16.0);
  }
}

TEST(Tape, SortsIntoLongRuns) {
  support::World world(40);
  std::vector<Id> outputs;
  Graph& g = world.graph;
  for (std::size_t i = 0; i < 39; ++i) {
    const Id x = world.variables[i], y = world.variables[i + 1];
    outputs.push_back(g.divide(g.unary(Op::sin, g.multiply(x, y)), g.unary(Op::exp, g.add(x, y))));
  }
  const Tape tape(g, world.variables, {}, outputs);
  EXPECT_EQ(tape.instructions(), 39u * 5u);
  EXPECT_EQ(tape.runs(), 5u);
}

TEST(Tape, UnusedSideOfAnIfNeverTouchesTheResult) {
  support::World world{"x"};
  const Id e = world("if(x > 0, sqrt(x), x^2)");
  EXPECT_EQ(support::run(world, {e}, {-3.0})[0], 9.0);
  EXPECT_EQ(support::run(world, {e}, {4.0})[0], 2.0);
}

TEST(Tape, FaultsComeThrough) {
  support::World world{"x"};
  EXPECT_EQ(support::run(world, {world("1/0")}, {0.0})[0], infinity);
  EXPECT_TRUE(std::isnan(support::run(world, {world("x/x")}, {0.0})[0]));
  for (const char* text : {"sin(x)", "cos(x)", "min(x, 1)", "max(1, x)", "sign(x)", "abs(x)", "x^2"})
    EXPECT_TRUE(std::isnan(support::run(world, {world(text)}, {nan})[0])) << text;
  EXPECT_TRUE(std::isnan(support::run(world, {world("sin(x)")}, {infinity})[0]));
}

TEST(Tape, NestedSinesDoNotShareABatch) {
  support::World world{"x"};
  Id nested = world.variables[0], other = nested;
  std::vector<Id> outputs;
  double expected = 0.7;
  for (int k = 0; k < 20; ++k) {
    nested = world.graph.unary(Op::sin, nested);
    outputs.push_back(nested);
    other = world.graph.unary(Op::sin, world.graph.add(other, world.graph.constant(1.0)));
    outputs.push_back(other);
    expected = std::sin(expected);
  }
  EXPECT_NEAR(support::run(world, outputs, {0.7})[38], expected, 1e-14);
}

TEST(Tape, DeepFormulasNeedNoStack) {
  support::World world{"x"};
  Graph& g = world.graph;
  Id e = world.variables[0];
  for (int k = 0; k < 100000; ++k) e = g.add(g.unary(Op::abs, e), g.constant(k + 1.0));
  EXPECT_EQ(support::run(world, {e}, {0.5})[0], 0.5 + 100000.0 * 100001.0 / 2.0);
}

}  // namespace
}  // namespace maggi::expression
