#include "expression/interval.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <vector>

namespace maggi::expression {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;

/// Sums, products, quotients and roots are off by half a unit in the last place, functions of libm by less than two.
Interval outwards(Interval x, int units = 1) {
  if (std::isnan(x.low) || std::isnan(x.high)) return {};
  if (x.empty()) return Interval::nothing();
  for (int i = 0; i < units; ++i) {
    x.low = std::nextafter(x.low, -infinity);
    x.high = std::nextafter(x.high, infinity);
  }
  return x;
}
constexpr int function_units = 2;

Interval hull(std::initializer_list<double> values) {
  Interval result{infinity, -infinity};
  for (const double value : values) {
    if (std::isnan(value)) return {};
    result.low = std::min(result.low, value);
    result.high = std::max(result.high, value);
  }
  return result;
}

Interval hull(Interval a, Interval b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval clip(Interval x, double low, double high) { return {std::max(x.low, low), std::min(x.high, high)}; }

/// 0 · ∞ is 0: the bound of a product, not a limit.
double bound_product(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

Interval multiply(Interval a, Interval b) {
  return outwards(hull({bound_product(a.low, b.low), bound_product(a.low, b.high), bound_product(a.high, b.low),
                        bound_product(a.high, b.high)}));
}

Interval divide(Interval a, Interval b) {
  if (b.low == 0.0 && b.high == 0.0) return Interval::nothing();
  if (b.contains(0.0)) return {};
  return multiply(a, outwards({1.0 / b.high, 1.0 / b.low}));
}

Interval even(Interval x) {  // |x|
  if (x.contains(0.0)) return {0.0, std::max(-x.low, x.high)};
  return x.low > 0.0 ? x : Interval{-x.high, -x.low};
}

template <class F>  // that grows with its argument
Interval growing(Interval x, F f) {
  if (x.empty()) return Interval::nothing();
  return outwards({f(x.low), f(x.high)}, function_units);
}

Interval power(Interval a, Interval b) {
  if (b.low == b.high && b.low == std::floor(b.low) && std::abs(b.low) < 1e6) {
    const double exponent = b.low;
    const auto raised = [](double e) { return [e](double x) { return std::pow(x, e); }; };
    if (exponent < 0.0) return divide(Interval::point(1.0), power(a, Interval::point(-exponent)));
    const bool is_even = std::fmod(exponent, 2.0) == 0.0;
    const Interval result = growing(is_even ? even(a) : a, raised(exponent));
    return is_even ? clip(result, 0.0, infinity) : result;
  }
  if (a.low < 0.0 && (b.low != b.high || b.low == std::floor(b.low))) return {};  // some exponents may be integers
  a = clip(a, 0.0, infinity);
  if (a.empty()) return Interval::nothing();
  const Interval result = outwards(hull({std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low),
                                         std::pow(a.high, b.high), a.contains(1.0) ? 1.0 : std::pow(a.low, b.low)}),
                                   function_units);
  return clip(result, 0.0, infinity);
}

Interval cosine(Interval x) {
  constexpr double largest = 1e6;  // beyond it the number of turns is not certain
  constexpr double margin = 1e-9;  // of an angle, against rounding of k π: an extremum nearby is taken for inside
  if (!(std::abs(x.low) < largest && std::abs(x.high) < largest)) return {-1.0, 1.0};
  Interval result = outwards(hull({std::cos(x.low), std::cos(x.high)}), function_units);
  for (double k = std::ceil((x.low - margin) / pi); k * pi <= x.high + margin; k += 1.0) {
    if (std::fmod(k, 2.0) == 0.0)
      result.high = 1.0;
    else
      result.low = -1.0;
    if (result.low <= -1.0 && result.high >= 1.0) break;
  }
  return clip(result, -1.0, 1.0);
}

Interval tangent(Interval x) {
  // over a pole it takes any value; a margin keeps rounding of π out
  if (!(x.high - x.low < pi) || cosine(x).contains(0.0)) return {};
  return growing(x, [](double y) { return std::tan(y); });
}

Interval decide(bool always, bool never) { return {always ? 1.0 : 0.0, never ? 0.0 : 1.0}; }

Interval apply(Op op, Interval a, Interval b, Interval c) {
  switch (op) {
    case Op::constant:
    case Op::variable: break;
    case Op::add: return outwards({a.low + b.low, a.high + b.high});
    case Op::subtract: return outwards({a.low - b.high, a.high - b.low});
    case Op::multiply: return multiply(a, b);
    case Op::divide: return divide(a, b);
    case Op::negate: return {-a.high, -a.low};
    case Op::power: return power(a, b);
    case Op::sin: return cosine(outwards({a.low - pi / 2, a.high - pi / 2}, function_units));
    case Op::cos: return cosine(a);
    case Op::tan: return tangent(a);
    case Op::asin: return growing(clip(a, -1.0, 1.0), [](double x) { return std::asin(x); });
    case Op::acos: {
      const Interval x = clip(a, -1.0, 1.0);
      return growing(Interval{-x.high, -x.low}, [](double y) { return std::acos(-y); });
    }
    case Op::atan: return growing(a, [](double x) { return std::atan(x); });
    case Op::atan2: return outwards({-pi, pi}, function_units);
    case Op::sinh: return growing(a, [](double x) { return std::sinh(x); });
    case Op::cosh: return clip(growing(even(a), [](double x) { return std::cosh(x); }), 1.0, infinity);
    case Op::tanh: return clip(growing(a, [](double x) { return std::tanh(x); }), -1.0, 1.0);
    case Op::exp: return clip(growing(a, [](double x) { return std::exp(x); }), 0.0, infinity);
    case Op::log: return growing(clip(a, 0.0, infinity), [](double x) { return std::log(x); });
    case Op::sqrt: return clip(growing(clip(a, 0.0, infinity), [](double x) { return std::sqrt(x); }), 0.0, infinity);
    case Op::abs: return even(a);
    case Op::sign: return {expression::apply(Op::sign, a.low), expression::apply(Op::sign, a.high)};
    case Op::min: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::max: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::less: return decide(a.high < b.low, a.low >= b.high);
    case Op::less_equal: return decide(a.high <= b.low, a.low > b.high);
    case Op::equal:
      return decide(a.low == a.high && b.low == b.high && a.low == b.low, a.high < b.low || b.high < a.low);
    case Op::not_equal:
      return decide(a.high < b.low || b.high < a.low, a.low == a.high && b.low == b.high && a.low == b.low);
    case Op::select:
      if (a.low > 0.0 || a.high < 0.0) return b;
      return a.low == 0.0 && a.high == 0.0 ? c : hull(b, c);
  }
  return {};
}

}  // namespace

Interval bounds(const Graph& graph, Id expression, const std::unordered_map<Id, Interval>& box) {
  // ids are in topological order: first what the expression contains, then from below
  std::vector<char> needed(expression + 1, 0);
  needed[expression] = 1;
  for (Id id = expression + 1; id-- > 0;) {
    if (!needed[id]) continue;
    const Node& node = graph[id];
    const int operands = arity(node.op);
    if (operands > 0) needed[node.a] = 1;
    if (operands > 1) needed[node.b] = 1;
    if (operands > 2) needed[node.c] = 1;
  }
  std::vector<Interval> values(expression + 1);
  for (Id id = 0; id <= expression; ++id) {
    if (!needed[id]) continue;
    const Node& node = graph[id];
    const int operands = arity(node.op);
    if (node.op == Op::constant) {
      values[id] = Interval::point(node.value);
    } else if (node.op == Op::variable) {
      if (const auto found = box.find(id); found != box.end()) values[id] = found->second;
    } else {
      const Interval a = values[node.a], b = operands > 1 ? values[node.b] : Interval{},
                     c = operands > 2 ? values[node.c] : Interval{};
      const bool lost = node.op == Op::select ? a.empty() : a.empty() || b.empty() || c.empty();
      values[id] = lost ? Interval::nothing() : apply(node.op, a, b, c);
    }
  }
  return values[expression];
}

}  // namespace maggi::expression
