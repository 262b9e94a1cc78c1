// The identities that Graph applies while building. Each rule either returns an older node or a smaller problem; the
// normal form that results (numeric factors in front, signs outside, subtraction instead of adding a negative) is what
// keeps derivatives short. No rule recurses into operands deeper than a fixed number of levels.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "expression/words.hpp"
#include "maggi/expert/expression.hpp"

namespace maggi::expression {

namespace {
constexpr Id no_rule = 0xffffffff;  // no rule applies

/// x / y without rounding?
bool divides_exactly(double x, double y) {
  const double q = x / y;
  return is_mergeable(x) && is_mergeable(y) && is_mergeable(q) && std::fma(q, y, -x) == 0.0;
}

bool is_integer(double x) { return x == std::floor(x) && std::abs(x) <= 1e6; }
bool is_even(double x) { return std::fmod(x, 2.0) == 0.0; }
bool is_odd_function(Op op) {
  return op == Op::sin || op == Op::tan || op == Op::asin || op == Op::atan || op == Op::sinh || op == Op::tanh ||
         op == Op::sign;
}
bool is_even_function(Op op) { return op == Op::cos || op == Op::cosh || op == Op::abs; }
}  // namespace

Id Graph::unary(Op op, Id a) {
  assert(arity(op) == 1);
  if (const Id folded = fold(op, a, a, a); folded != no_rule) return folded;
  if (op == Op::negate) return simplify_negate(a);
  if (op == Op::abs && nodes_[a].op == Op::abs) return a;
  if (is_negative(a) && is_odd_function(op)) return negate(unary(op, negate(a)));
  if (is_negative(a) && is_even_function(op)) return unary(op, negate(a));
  return intern({.op = op, .a = a});
}

Id Graph::binary(Op op, Id a, Id b) {
  assert(arity(op) == 2);
  if (const Id folded = fold(op, a, b, b); folded != no_rule) return folded;
  switch (op) {
    case Op::add: return simplify_add(a, b);
    case Op::subtract: return simplify_subtract(a, b);
    case Op::multiply: return simplify_multiply(a, b);
    case Op::divide: return simplify_divide(a, b);
    case Op::power: return simplify_power(a, b);
    case Op::min:
    case Op::max: return a == b ? a : commuted(op, a, b);
    case Op::less: return a == b ? constant(0.0) : intern({.op = op, .a = a, .b = b});
    case Op::equal:
    case Op::not_equal: return commuted(op, a, b);
    default: return intern({.op = op, .a = a, .b = b});
  }
}

Id Graph::select(Id condition, Id then, Id otherwise) {
  if (is_number(condition)) return is_zero(condition) ? otherwise : then;
  if (then == otherwise) return then;
  return intern({.op = Op::select, .a = condition, .b = then, .c = otherwise});
}

/// The value, if every operand is a number and the result is finite.
Id Graph::fold(Op op, Id a, Id b, Id c) {
  if (!is_number(a) || !is_number(b) || !is_number(c)) return no_rule;
  const double value = apply(op, nodes_[a].value, nodes_[b].value, nodes_[c].value);
  return std::isfinite(value) ? constant(value) : no_rule;
}

Id Graph::simplify_add(Id a, Id b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (is_negative(b)) return subtract(a, negate(b));
  if (is_negative(a)) return subtract(b, negate(a));
  const Term x = term(a), y = term(b);
  if (x.rest == y.rest && !is_number(x.rest) && is_mergeable(x.factor + y.factor))
    return scale(x.factor + y.factor, x.rest);
  return commuted(Op::add, a, b);
}

Id Graph::simplify_subtract(Id a, Id b) {
  if (is_zero(b)) return a;
  if (is_zero(a)) return negate(b);
  if (a == b) return constant(0.0);
  if (is_negative(b)) return add(a, negate(b));
  if (nodes_[a].op == Op::negate) return negate(add(nodes_[a].a, b));
  const Term x = term(a), y = term(b);
  if (x.rest == y.rest && is_mergeable(x.factor - y.factor)) return scale(x.factor - y.factor, x.rest);
  return intern({.op = Op::subtract, .a = a, .b = b});
}

Id Graph::simplify_multiply(Id a, Id b) {
  if (is_number(a) && is_number(b)) return commuted(Op::multiply, a, b);  // overflows: a fault that stays visible
  if (is_number(a)) return scale(nodes_[a].value, b);
  if (is_number(b)) return scale(nodes_[b].value, a);
  if (nodes_[a].op == Op::negate) return negate(multiply(nodes_[a].a, b));
  if (nodes_[b].op == Op::negate) return negate(multiply(a, nodes_[b].a));
  const Term x = term(a), y = term(b);
  const double factor = x.factor * y.factor;
  if ((x.rest != a || y.rest != b) && is_mergeable(factor)) return scale(factor, multiply(x.rest, y.rest));

  // x^m · x^n = x^(m+n)
  const auto power_of = [this](Id id) -> std::pair<Id, double> {
    const Node& node = nodes_[id];
    if (node.op != Op::power || !is_number(node.b)) return {id, 1.0};
    const double exponent = nodes_[node.b].value;
    return exponent > 1.0 && is_integer(exponent) ? std::pair{node.a, exponent} : std::pair{id, 1.0};
  };
  const auto [base, m] = power_of(a);
  const auto [other, n] = power_of(b);
  if (base == other && is_integer(m + n)) return binary(Op::power, base, constant(m + n));
  return commuted(Op::multiply, a, b);
}

Id Graph::simplify_divide(Id a, Id b) {
  if (is_constant(b, 1.0)) return a;
  if (is_negative(b)) return negate(divide(a, negate(b)));
  if (nodes_[a].op == Op::negate) return negate(divide(nodes_[a].a, b));
  const Term x = is_number(a) ? Term{nodes_[a].value, a} : term(a);
  const Term y = is_number(b) ? Term{nodes_[b].value, b} : term(b);
  const bool reducible = is_number(b) || x.factor != 1.0 || y.factor != 1.0;
  if (!reducible || !divides_exactly(x.factor, y.factor)) return intern({.op = Op::divide, .a = a, .b = b});

  const double factor = x.factor / y.factor;
  if (is_number(b)) return scale(factor, x.rest);
  if (is_number(a)) return intern({.op = Op::divide, .a = constant(factor), .b = y.rest});
  return scale(factor, divide(x.rest, y.rest));
}

Id Graph::simplify_power(Id a, Id b) {
  if (is_zero(b) || is_constant(a, 1.0)) return constant(1.0);
  if (is_constant(b, 1.0)) return a;
  if (is_number(b) && is_integer(nodes_[b].value)) {
    const double n = nodes_[b].value;
    const Node base = nodes_[a];
    if (base.op == Op::negate) {
      const Id positive = binary(Op::power, base.a, b);
      return is_even(n) ? positive : negate(positive);
    }
    if (n > 1.0 && base.op == Op::power && is_number(base.b)) {  // (x^m)^n = x^(m n)
      const double m = nodes_[base.b].value;
      if (m > 1.0 && is_integer(m) && is_integer(m * n)) return binary(Op::power, base.a, constant(m * n));
    }
  }
  return intern({.op = Op::power, .a = a, .b = b});
}

Id Graph::simplify_negate(Id a) {
  const Node node = nodes_[a];
  if (node.op == Op::negate) return node.a;
  if (node.op == Op::subtract) return subtract(node.b, node.a);
  if (node.op == Op::divide && is_negative(node.a)) return divide(negate(node.a), node.b);
  if (node.op == Op::divide && (is_number(node.a) || term(node.a).rest != node.a))
    return intern({.op = Op::divide, .a = negate(node.a), .b = node.b});
  if (const Term x = term(a); x.rest != a) return scale(-x.factor, x.rest);
  return intern({.op = Op::negate, .a = a});
}

/// factor · rest, where rest is not a number.
Id Graph::scale(double factor, Id rest) {
  if (factor == 0.0) return constant(0.0);
  if (factor == 1.0) return rest;
  if (factor == -1.0) return negate(rest);
  const Node node = nodes_[rest];
  if (node.op == Op::negate) return scale(-factor, node.a);
  if (node.op == Op::divide && is_number(node.a) && is_mergeable(factor * nodes_[node.a].value))
    return intern({.op = Op::divide, .a = constant(factor * nodes_[node.a].value), .b = node.b});
  if (const Term x = term(rest); x.rest != rest && is_mergeable(factor * x.factor))
    return scale(factor * x.factor, x.rest);
  return intern({.op = Op::multiply, .a = constant(factor), .b = rest});
}

/// Commutative operands in one order, so that x + y and y + x are one node: numbers as one writes them, 2 x and x + 2.
Id Graph::commuted(Op op, Id a, Id b) {
  const bool number_first = op == Op::multiply;
  const auto rank = [&](Id id) { return std::pair{is_number(id) != number_first, id}; };
  if (rank(b) < rank(a)) std::swap(a, b);
  return intern({.op = op, .a = a, .b = b});
}

/// Splits off a numeric factor. c₁ (c₂ x), which exists only where c₁ c₂ would overflow, counts as a whole: so no rule
/// ever walks down a chain.
Graph::Term Graph::term(Id id) const {
  if (!has_factor(id) || has_factor(nodes_[id].b)) return {1.0, id};
  return {nodes_[nodes_[id].a].value, nodes_[id].b};
}

bool Graph::has_factor(Id id) const {
  const Node& node = nodes_[id];
  return node.op == Op::multiply && is_number(node.a) && !is_number(node.b);
}

/// Would negate() take a sign away instead of adding one?
bool Graph::is_negative(Id id) const {
  const Node& node = nodes_[id];
  if (node.op == Op::constant) return node.value < 0.0;
  if (node.op == Op::negate) return true;
  if (node.op == Op::divide) {
    if (is_number(node.a)) return nodes_[node.a].value < 0.0;
    return term(node.a).factor < 0.0;
  }
  return term(id).factor < 0.0;
}

}  // namespace maggi::expression
