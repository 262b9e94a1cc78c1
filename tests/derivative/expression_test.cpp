// First and second derivatives of random formulas against hyper-dual numbers, which share no code with the library.
#include <gtest/gtest.h>

#include "maggi/expert/derivative.hpp"
#include "support/expression.hpp"
#include "support/formula.hpp"

namespace maggi {
namespace {

using expression::Derivative;
using expression::Id;
using support::HyperDual;

TEST(Derivative, AgreesWithHyperDualNumbers) {
  constexpr int variables = 3;
  support::FormulaGenerator generator(20240607, variables);
  int compared = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    support::World world(variables);
    const auto formula = generator.draw(1 + trial % 5);

    // two random directions, so that mixed second derivatives count too
    std::vector<double> values;
    std::vector<HyperDual> point;
    std::vector<std::pair<Id, Id>> first, second;
    for (const Id variable : world.variables) {
      const double x = generator.real(-2.0, 2.0), s = generator.real(-1.0, 1.0), r = generator.real(-1.0, 1.0);
      values.push_back(x);
      point.push_back({x, s, r, 0.0});
      first.emplace_back(variable, world.graph.constant(s));
      second.emplace_back(variable, world.graph.constant(r));
    }
    support::Trace trace;
    const HyperDual exact = formula->value(point, trace);
    if (!trace.usable()) continue;

    const Id e = world(formula->text());
    Derivative D1(world.graph, first), D2(world.graph, second);
    const std::vector<double> found = support::run(world, {e, D1(e), D2(e), D2(D1(e))}, values);
    const double tolerance = 1e-12 * (1.0 + trace.largest()) * (1.0 + trace.largest());  // rounding, amplified once
    ASSERT_NEAR(found[0], exact.v, tolerance) << formula->text();
    ASSERT_NEAR(found[1], exact.d1, tolerance) << formula->text();
    ASSERT_NEAR(found[2], exact.d2, tolerance) << formula->text();
    ASSERT_NEAR(found[3], exact.d12, tolerance) << formula->text();
    ++compared;
  }
  EXPECT_GT(compared, 10000);
}

/// d/dt along a motion: seeds that are variables themselves, as for de/dt = ∂e/∂q v + ∂e/∂t.
TEST(Derivative, AlongAMotion) {
  support::World world{"x", "v", "t"};
  auto& g = world.graph;
  const auto [x, v, t] = std::tuple{world.variables[0], world.variables[1], world.variables[2]};
  Derivative D(g, {{x, v}, {t, g.constant(1.0)}});
  EXPECT_EQ(D(world("x^2*t")), world("2*x*v*t + x^2"));
  EXPECT_EQ(D(D(world("x^2"))), world("2*v^2"));  // v without seed: at fixed velocity
}

}  // namespace
}  // namespace maggi
