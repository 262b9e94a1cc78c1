// What must hold for any formula.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "maggi/expert/derivative.hpp"
#include "maggi/expert/print.hpp"
#include "support/expression.hpp"
#include "support/formula.hpp"

namespace maggi {
namespace {

using expression::Graph;
using expression::Id;
using expression::Node;
using expression::Op;
using expression::Tape;
using support::World;

constexpr int variables = 3;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

std::vector<double> random_point(support::FormulaGenerator& generator) {
  std::vector<double> values;
  for (int k = 0; k < variables; ++k) values.push_back(generator.real(-3.0, 3.0));
  return values;
}

/// e, its gradient and a second derivative: what models ask for, and formulas that no one would write.
std::vector<Id> with_derivatives(World& world, Id e) {
  std::vector<Id> all{e};
  for (const Id variable : world.variables) {
    expression::Derivative D(world.graph, {{variable, world.graph.constant(1.0)}});
    all.push_back(D(e));
    if (world.graph.size() < 20000) all.push_back(D(D(e)));
  }
  return all;
}

TEST(ExpressionProperty, ANodeIsInNormalForm) {
  support::FormulaGenerator generator(1, variables);
  for (int trial = 0; trial < 3000; ++trial) {
    World world(variables);
    Graph& g = world.graph;
    with_derivatives(world, world(generator.draw(1 + trial % 6)->text()));
    for (Id id = 0; id < g.size(); ++id) {
      const Node node = g[id];
      if (arity(node.op) == 1) { ASSERT_EQ(g.unary(node.op, node.a), id); }
      if (arity(node.op) == 2) {
        ASSERT_EQ(g.binary(node.op, node.a, node.b), id)
            << print(g, id) << " became " << print(g, g.binary(node.op, node.a, node.b));
      }
      if (node.op == Op::select) { ASSERT_EQ(g.select(node.a, node.b, node.c), id); }
      if (node.op == Op::constant) { ASSERT_TRUE(std::isfinite(node.value)); }
    }
  }
}

TEST(ExpressionProperty, SimplificationKeepsTheValue) {
  support::FormulaGenerator generator(2, variables);
  int compared = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    World world(variables);
    const auto formula = generator.draw(1 + trial % 6);
    const std::vector<double> values = random_point(generator);
    support::Trace trace;
    const double exact = formula->value({{values[0]}, {values[1]}, {values[2]}}, trace).v;
    if (!trace.usable()) continue;
    const double tolerance = 1e-12 * (1.0 + trace.largest()) * (1.0 + trace.largest());
    ASSERT_NEAR(support::walk(world, world(formula->text()), values), exact, tolerance) << formula->text();
    ++compared;
  }
  EXPECT_GT(compared, 10000);
}

/// Without powers and trigonometry a tape does the very operations of the graph: equal to the last bit.
TEST(ExpressionProperty, TapeIsExactForArithmetic) {
  support::FormulaGenerator generator(3, variables, true);
  for (int trial = 0; trial < 5000; ++trial) {
    World world(variables);
    const Id e = world(generator.draw(1 + trial % 7)->text());
    const std::vector<double> values = random_point(generator);
    bool has_power = false;
    for (Id id = 0; id < world.graph.size(); ++id) has_power |= world.graph[id].op == Op::power;
    if (has_power) continue;
    ASSERT_TRUE(same_bits(support::run(world, {e}, values)[0], support::walk(world, e, values)))
        << print(world.graph, e);
  }
}

TEST(ExpressionProperty, TapeAgreesWithTheGraph) {
  support::FormulaGenerator generator(4, variables);
  int compared = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    World world(variables);
    const auto formula = generator.draw(1 + trial % 6);
    const std::vector<double> values = random_point(generator);
    support::Trace trace;
    formula->value({{values[0]}, {values[1]}, {values[2]}}, trace);
    if (!trace.usable()) continue;
    const Id e = world(formula->text());
    const double tolerance =
        1e-13 * (1.0 + trace.largest()) * (1.0 + trace.largest());  // 1 ulp of sin, 4 of x^8, amplified
    ASSERT_NEAR(support::run(world, {e}, values)[0], support::walk(world, e, values), tolerance) << formula->text();
    ++compared;
  }
  EXPECT_GT(compared, 5000);
}

TEST(ExpressionProperty, LanesAndParametersChangeNoBit) {
  support::FormulaGenerator generator(5, variables);
  for (int trial = 0; trial < 3000; ++trial) {
    World world(variables);
    const std::vector<Id> outputs = with_derivatives(world, world(generator.draw(1 + trial % 6)->text()));
    const Tape tape(world.graph, world.variables, {}, outputs);

    // any of the variables may be a parameter
    const auto split = world.variables.begin() + generator.pick(variables + 1);
    const std::vector<Id> inputs(world.variables.begin(), split), parameters(split, world.variables.end());
    const Tape hoisted(world.graph, inputs, parameters, outputs);
    ASSERT_LE(hoisted.instructions(), tape.instructions());

    constexpr std::size_t lanes = Tape::lanes;
    std::vector<double> wide(lanes * hoisted.slots()), wide_parameters(lanes * parameters.size());
    std::vector<std::vector<double>> points;
    for (std::size_t l = 0; l < lanes; ++l) {
      points.push_back(random_point(generator));
      for (std::size_t k = 0; k < inputs.size(); ++k) wide[lanes * k + l] = points[l][k];
      for (std::size_t p = 0; p < parameters.size(); ++p) wide_parameters[lanes * p + l] = points[l][inputs.size() + p];
    }
    hoisted.prepare_lanes(wide_parameters, wide);
    hoisted.run_lanes(wide);
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::vector<double> alone = support::run(world, outputs, points[l]);
      for (std::size_t i = 0; i < outputs.size(); ++i)
        ASSERT_TRUE(same_bits(alone[i], wide[lanes * hoisted.output(i) + l])) << print(world.graph, outputs[i]);
    }
  }
}

TEST(ExpressionProperty, PrintedTextReadsBack) {
  support::FormulaGenerator generator(6, variables);
  for (int trial = 0; trial < 5000; ++trial) {
    World world(variables);
    for (const Id e : with_derivatives(world, world(generator.draw(1 + trial % 6)->text()))) {
      const std::string text = print(world.graph, e);
      if (text.size() > expression::max_length) continue;
      ASSERT_EQ(world(text), e) << text << "\nbecame\n" << print(world.graph, world(text));
      ASSERT_FALSE(print_latex(world.graph, e).empty());
    }
  }
}

TEST(ExpressionProperty, GarbageIsRefusedWithAnError) {
  static constexpr const char* pieces[] = {"x0",   "x1'", "1.5",   "2e3",    "(",    ")",  "+",  "-", "*",
                                           "/",    "^",   "**",    "=",      "==",   "<",  ">=", "!", ",",
                                           ".",    "'",   "sin",   "atan2(", "if(",  " ",  "\n", "−", "²",
                                           "\xff", "pi",  "1e999", "foo",    "foo(", "\"", "π",  "e", "E5"};
  std::mt19937_64 random(7);
  int accepted = 0, refused = 0;
  for (int trial = 0; trial < 50000; ++trial) {
    World world(2);
    std::string text;
    for (std::size_t k = random() % 12; k-- > 0;) {
      if (trial % 3 == 0)
        text += static_cast<char>(random());
      else
        text += pieces[random() % std::size(pieces)];
    }
    try {
      trial % 2 == 0 ? parse(text, world.graph, world.scope, {"f", 1, 1})
                     : parse_equation(text, world.graph, world.scope, {"f", 1, 1});
      ++accepted;
    } catch (const Error& error) {  // anything else ends the test
      ++refused;
      ASSERT_EQ(error.code(), Errc::model);
      ASSERT_GE(error.where().column, 1) << text;
      ASSERT_LE(error.where().column, static_cast<int>(text.size()) + 1) << text;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 10000);
}

}  // namespace
}  // namespace maggi
