#include "maggi/expert/derivative.hpp"

#include <algorithm>
#include <cassert>

namespace maggi::expression {

Derivative::Derivative(Graph& graph, const std::vector<std::pair<Id, Id>>& seeds) : graph_(graph) {
  for (const auto& [variable, seed] : seeds) {
    assert(graph[variable].op == Op::variable);
    memo_[variable] = seed;
  }
}

Id Derivative::operator()(Id expression) {
  std::vector<Id> open{expression};  // an explicit stack: formulas may be deeper than the machine's
  while (!open.empty()) {
    const Id id = open.back();
    if (memo_.contains(id)) {
      open.pop_back();
      continue;
    }
    const Node node = graph_[id];  // a copy: the graph grows below
    const Id operands[] = {node.a, node.b, node.c};
    const std::size_t before = open.size();
    std::copy_if(operands, operands + arity(node.op), std::back_inserter(open),
                 [this](Id operand) { return !memo_.contains(operand); });
    if (open.size() > before) continue;
    memo_.emplace(id, rule(node, id));
    open.pop_back();
  }
  return memo_.at(expression);
}

Id Derivative::rule(const Node& node, Id id) {
  Graph& g = graph_;
  const Id zero = g.constant(0.0);
  switch (node.op) {
    case Op::constant:
    case Op::variable:  // without seed
    case Op::sign:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal: return zero;
    case Op::select: return g.select(node.a, memo_.at(node.b), memo_.at(node.c));
    case Op::negate: return g.negate(memo_.at(node.a));
    default: break;
  }
  const bool is_constant = g.is_zero(memo_.at(node.a)) && (arity(node.op) == 1 || g.is_zero(memo_.at(node.b)));
  if (is_constant) return zero;
  return arity(node.op) == 1 ? function_rule(node, id) : binary_rule(node, id);
}

// One new node per statement wherever two are needed: C++ leaves the order of arguments open, and with it would vary
// the ids, the order of commutative operands, and in the last digit the results.

Id Derivative::binary_rule(const Node& node, Id id) {
  Graph& g = graph_;
  const auto [op, a, b, c, value] = node;
  const Id da = memo_.at(a), db = memo_.at(b);
  switch (op) {
    case Op::add: return g.add(da, db);
    case Op::subtract: return g.subtract(da, db);
    case Op::multiply: {
      const Id left = g.multiply(da, b), right = g.multiply(a, db);
      return g.add(left, right);
    }
    case Op::divide: {  // (c/b)˙ = −c ḃ/b²,  (a/b)˙ = (ȧ − (a/b) ḃ)/b
      if (!g.is_zero(da)) return g.divide(g.subtract(da, g.multiply(id, db)), b);
      const Id numerator = g.multiply(a, db), denominator = g.binary(Op::power, b, g.constant(2.0));
      return g.negate(g.divide(numerator, denominator));
    }
    case Op::power: return power_rule(node, id);
    case Op::atan2: {  // of (a, b) = (y, x): (x ẏ − y ẋ)/(x² + y²)
      const Id two = g.constant(2.0), xx = g.binary(Op::power, b, two), yy = g.binary(Op::power, a, two);
      const Id xdy = g.multiply(b, da), ydx = g.multiply(a, db), numerator = g.subtract(xdy, ydx);
      return g.divide(numerator, g.add(xx, yy));
    }
    case Op::min: return g.select(g.binary(Op::less, a, b), da, db);
    case Op::max: return g.select(g.binary(Op::less, b, a), da, db);
    default: assert(false); return g.constant(0.0);
  }
}

Id Derivative::function_rule(const Node& node, Id id) {
  Graph& g = graph_;
  const Id a = node.a, da = memo_.at(a), one = g.constant(1.0), two = g.constant(2.0);
  const auto squared = [&](Id x) { return g.binary(Op::power, x, two); };
  switch (node.op) {
    case Op::sin: return g.multiply(g.unary(Op::cos, a), da);
    case Op::cos: return g.negate(g.multiply(g.unary(Op::sin, a), da));
    case Op::tan: return g.multiply(g.add(one, squared(id)), da);
    case Op::asin: return g.divide(da, g.unary(Op::sqrt, g.subtract(one, squared(a))));
    case Op::acos: return g.negate(g.divide(da, g.unary(Op::sqrt, g.subtract(one, squared(a)))));
    case Op::atan: return g.divide(da, g.add(one, squared(a)));
    case Op::sinh: return g.multiply(g.unary(Op::cosh, a), da);
    case Op::cosh: return g.multiply(g.unary(Op::sinh, a), da);
    case Op::tanh: return g.multiply(g.subtract(one, squared(id)), da);
    case Op::exp: return g.multiply(id, da);
    case Op::log: return g.divide(da, a);
    case Op::sqrt: return g.divide(da, g.multiply(two, id));
    case Op::abs: return g.multiply(g.unary(Op::sign, a), da);
    default: assert(false); return g.constant(0.0);
  }
}

/// (a^b)˙ = b a^(b−1) ȧ + ln(a) a^b ḃ; a term whose factor ȧ or ḃ vanishes is not written, for its ln or 1/a may be
/// undefined where the other is not.
Id Derivative::power_rule(const Node& node, Id id) {
  Graph& g = graph_;
  const Id a = node.a, b = node.b, da = memo_.at(a), db = memo_.at(b);
  Id sum = g.constant(0.0);
  if (!g.is_zero(da)) {
    const Id lower = g.binary(Op::power, a, g.subtract(b, g.constant(1.0)));
    sum = g.multiply(g.multiply(b, lower), da);
  }
  if (!g.is_zero(db)) sum = g.add(sum, g.multiply(g.multiply(g.unary(Op::log, a), id), db));
  return sum;
}

}  // namespace maggi::expression
