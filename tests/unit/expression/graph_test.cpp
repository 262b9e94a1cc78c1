#include "maggi/expert/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "maggi/error.hpp"

namespace maggi::expression {
namespace {

class GraphTest : public testing::Test {
 protected:
  Graph g;
  Id x = g.variable("x"), y = g.variable("y"), z = g.variable("z");
  Id zero = g.constant(0.0), one = g.constant(1.0), two = g.constant(2.0);

  Id number(double value) { return g.constant(value); }
  Id power(Id a, double n) { return g.binary(Op::power, a, number(n)); }
};

TEST_F(GraphTest, EqualSubexpressionsAreOneNode) {
  EXPECT_EQ(g.add(x, y), g.add(x, y));
  EXPECT_EQ(g.add(x, y), g.add(y, x));
  EXPECT_EQ(g.multiply(x, y), g.multiply(y, x));
  EXPECT_NE(g.subtract(x, y), g.subtract(y, x));
  EXPECT_EQ(g.constant(0.1), g.constant(0.1));
  EXPECT_EQ(g.constant(-0.0), zero);
  EXPECT_NE(g.variable("x"), x);  // each call makes a new one
}

TEST_F(GraphTest, FoldsNumbers) {
  EXPECT_TRUE(g.is_constant(g.add(one, two), 3.0));
  EXPECT_TRUE(g.is_constant(g.unary(Op::cos, zero), 1.0));
  EXPECT_TRUE(g.is_constant(g.binary(Op::less, one, two), 1.0));
  EXPECT_EQ(g.select(one, x, y), x);
  EXPECT_EQ(g.select(zero, x, y), y);
}

TEST_F(GraphTest, FoldingHidesNoFault) {
  EXPECT_EQ(g[g.divide(one, zero)].op, Op::divide);
  EXPECT_EQ(g[g.divide(zero, zero)].op, Op::divide);
  EXPECT_EQ(g[g.unary(Op::log, zero)].op, Op::log);
  EXPECT_EQ(g[g.unary(Op::sqrt, number(-1.0))].op, Op::sqrt);
  EXPECT_EQ(g[g.multiply(number(1e300), number(1e300))].op, Op::multiply);
  EXPECT_EQ(g[g.divide(x, x)].op, Op::divide);
  EXPECT_EQ(g[g.divide(zero, x)].op, Op::divide);
}

TEST_F(GraphTest, Identities) {
  EXPECT_EQ(g.multiply(zero, x), zero);
  EXPECT_EQ(g.multiply(one, x), x);
  EXPECT_EQ(g.multiply(number(-1.0), x), g.negate(x));
  EXPECT_EQ(g.add(x, zero), x);
  EXPECT_EQ(g.subtract(x, zero), x);
  EXPECT_EQ(g.subtract(zero, x), g.negate(x));
  EXPECT_EQ(g.subtract(x, x), zero);
  EXPECT_EQ(g.negate(g.negate(x)), x);
  EXPECT_EQ(g.negate(g.subtract(x, y)), g.subtract(y, x));
  EXPECT_EQ(g.divide(x, one), x);
  EXPECT_EQ(power(x, 0.0), one);
  EXPECT_EQ(power(x, 1.0), x);
  EXPECT_EQ(g.binary(Op::power, one, x), one);
  EXPECT_EQ(g.select(x, y, y), y);
  EXPECT_EQ(g.binary(Op::min, x, x), x);
}

TEST_F(GraphTest, NumbersGatherInFront) {
  EXPECT_EQ(g.multiply(two, g.multiply(number(3.0), x)), g.multiply(number(6.0), x));
  EXPECT_EQ(g.multiply(g.multiply(two, x), g.multiply(number(0.5), y)), g.multiply(x, y));
  EXPECT_EQ(g.add(x, x), g.multiply(two, x));
  EXPECT_EQ(g.subtract(g.multiply(number(3.0), x), x), g.multiply(two, x));
  EXPECT_EQ(g.divide(x, two), g.multiply(number(0.5), x));
  EXPECT_EQ(g.divide(g.multiply(two, x), g.multiply(two, y)), g.divide(x, y));
  EXPECT_EQ(g[g.divide(x, number(3.0))].op, Op::divide);  // 1/3 is not exact
}

TEST_F(GraphTest, FactorsThatWouldOverflowStayApart) {
  const Id large = g.multiply(number(1e200), x), product = g.multiply(number(1e200), large);
  EXPECT_EQ(g[product].op, Op::multiply);
  EXPECT_EQ(g[product].b, large);
}

TEST_F(GraphTest, SignsMoveOutside) {
  EXPECT_EQ(g.multiply(g.negate(x), y), g.negate(g.multiply(x, y)));
  EXPECT_EQ(g.multiply(g.negate(x), g.negate(y)), g.multiply(x, y));
  EXPECT_EQ(g.divide(x, g.negate(y)), g.negate(g.divide(x, y)));
  EXPECT_EQ(g.add(x, g.negate(y)), g.subtract(x, y));
  EXPECT_EQ(g.add(g.negate(x), g.negate(y)), g.negate(g.add(x, y)));
  EXPECT_EQ(g.unary(Op::sin, g.negate(x)), g.negate(g.unary(Op::sin, x)));
  EXPECT_EQ(g.unary(Op::cos, g.negate(x)), g.unary(Op::cos, x));
  EXPECT_EQ(power(g.negate(x), 2.0), power(x, 2.0));
  EXPECT_EQ(power(g.negate(x), 3.0), g.negate(power(x, 3.0)));
}

TEST_F(GraphTest, PowersStayReadable) {
  EXPECT_EQ(g.multiply(x, x), power(x, 2.0));
  EXPECT_EQ(g.multiply(x, power(x, 2.0)), power(x, 3.0));
  EXPECT_EQ(power(power(x, 2.0), 3.0), power(x, 6.0));
  EXPECT_EQ(g[power(x, 2.0)].op, Op::power);
  EXPECT_EQ(g[g.multiply(x, power(x, -1.0))].op, Op::multiply);  // x may be 0
}

TEST_F(GraphTest, DependsOn) {
  const Id e = g.add(g.multiply(x, y), one);
  EXPECT_TRUE(g.depends_on(e, {x}));
  EXPECT_TRUE(g.depends_on(e, {z, y}));
  EXPECT_FALSE(g.depends_on(e, {z}));
  EXPECT_FALSE(g.depends_on(e, {}));
  EXPECT_TRUE(g.depends_on(x, {x}));
}

TEST_F(GraphTest, Names) { EXPECT_EQ(g.name(y), "y"); }

TEST_F(GraphTest, ManyNodesKeepTheirIdentity) {  // across growth of the table
  std::vector<Id> ids;
  for (int k = 0; k < 10000; ++k) ids.push_back(g.multiply(number(k + 0.5), x));
  for (int k = 0; k < 10000; ++k) EXPECT_EQ(g.multiply(number(k + 0.5), x), ids[static_cast<std::size_t>(k)]);
}

TEST(Apply, LetsNanThrough) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Op op : {Op::min, Op::max}) {
    EXPECT_TRUE(std::isnan(apply(op, nan, 1.0)));
    EXPECT_TRUE(std::isnan(apply(op, 1.0, nan)));
  }
  EXPECT_TRUE(std::isnan(apply(Op::sign, nan)));
  EXPECT_EQ(apply(Op::select, 1.0, 2.0, nan), 2.0);
  EXPECT_EQ(apply(Op::select, 0.0, nan, 3.0), 3.0);
}

TEST(Apply, Comparisons) {
  EXPECT_EQ(apply(Op::less, 1.0, 1.0), 0.0);
  EXPECT_EQ(apply(Op::less_equal, 1.0, 1.0), 1.0);
  EXPECT_EQ(apply(Op::equal, 1.0, 2.0), 0.0);
  EXPECT_EQ(apply(Op::not_equal, 1.0, 2.0), 1.0);
  EXPECT_EQ(apply(Op::sign, -2.0), -1.0);
}

}  // namespace
}  // namespace maggi::expression
