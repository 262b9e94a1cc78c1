#include "expression/tidy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "expression/needed.hpp"

namespace maggi::expression {

namespace {

/// Factors with their powers, sorted by factor.
using Monomial = std::vector<std::pair<Id, int>>;

/// number · up / down
struct Term {
  double number = 1.0;
  Monomial up{}, down{};
};
using Sum = std::vector<Term>;

Monomial times(const Monomial& a, const Monomial& b) {
  Monomial result = a;
  for (const auto& [id, exponent] : b) {
    const auto place = std::lower_bound(result.begin(), result.end(), std::pair{id, 0});
    if (place != result.end() && place->first == id)
      place->second += exponent;
    else
      result.insert(place, {id, exponent});
  }
  return result;
}

/// What both contain.
Monomial common(const Monomial& a, const Monomial& b) {
  Monomial result;
  for (const auto& [id, exponent] : a)
    for (const auto& [other, power] : b)
      if (other == id) result.emplace_back(id, std::min(exponent, power));
  return result;
}

/// a / b, for b contained in a.
Monomial without(const Monomial& a, const Monomial& b) {
  Monomial result;
  for (auto [id, exponent] : a) {
    for (const auto& [other, power] : b)
      if (other == id) exponent -= power;
    if (exponent > 0) result.emplace_back(id, exponent);
  }
  return result;
}

class Tidying {
 public:
  Tidying(Graph& graph, Fractions fractions) : graph_(graph), fractions_(fractions) {}

  Id operator()(Id expression) {
    const std::vector<bool> needed = needed_nodes(graph_, expression);
    for (Id id = 0; id <= expression; ++id)
      if (needed[id]) sums_.emplace(id, open(id));
    return build(closed(expression));
  }

 private:
  /// One level: the sums of the operands are known.
  Sum open(Id id) {
    const Node node = graph_[id];
    switch (node.op) {
      case Op::constant: return node.value == 0.0 ? Sum{} : Sum{{node.value}};
      case Op::variable: return {{1.0, {{id, 1}}}};
      case Op::add: return added(sums_.at(node.a), sums_.at(node.b), 1.0);
      case Op::subtract: return added(sums_.at(node.a), sums_.at(node.b), -1.0);
      case Op::negate: return added({}, sums_.at(node.a), -1.0);
      case Op::multiply: return single(product(closed(node.a), closed(node.b)));
      case Op::divide: return single(quotient(closed(node.a), closed(node.b)));
      case Op::power: return single(power(node));
      case Op::select:
        return single(factor(graph_.select(build(closed(node.a)), build(closed(node.b)), build(closed(node.c)))));
      default: return single(factor(function(node)));
    }
  }

  Id function(const Node& node) {
    const Id a = build(closed(node.a));
    return arity(node.op) == 1 ? graph_.unary(node.op, a) : graph_.binary(node.op, a, build(closed(node.b)));
  }

  static Sum single(Term term) { return term.number == 0.0 ? Sum{} : Sum{std::move(term)}; }

  static Sum added(Sum a, const Sum& b, double sign) {
    for (const Term& term : b) {
      const auto same = std::ranges::find_if(a, [&](const Term& t) { return t.up == term.up && t.down == term.down; });
      if (same == a.end())
        a.push_back({sign * term.number, term.up, term.down});
      else if ((same->number += sign * term.number) == 0.0)
        a.erase(same);
    }
    return a;
  }

  /// A node as a factor; its sign and a number go in front.
  Term factor(Id id) const {
    const Node& node = graph_[id];
    if (node.op == Op::constant && std::isfinite(node.value)) return {node.value};
    if (node.op == Op::negate) return {-1.0, {{node.a, 1}}};
    return {1.0, {{id, 1}}};
  }

  Term product(const Term& a, const Term& b) {
    Term result{a.number * b.number, times(a.up, b.up), times(a.down, b.down)};
    if (!std::isfinite(result.number)) return {1.0, {{graph_.multiply(build(a), build(b)), 1}}};
    reduce(result);
    return result;
  }

  Term quotient(const Term& a, const Term& b) {
    const bool zero = a.number == 0.0 && fractions_ == Fractions::keep;
    if (zero || b.number == 0.0) return {1.0, {{graph_.divide(build(a), build(b)), 1}}};  // a fault that stays visible
    Term result{a.number / b.number, times(a.up, b.down), times(a.down, b.up)};
    if (std::fma(result.number, b.number, -a.number) != 0.0) {  // 1/0.7 is written so
      result.number = a.number;
      result.down = times(result.down, {{graph_.constant(b.number), 1}});
    }
    reduce(result);
    return result;
  }

  void reduce(Term& term) const {
    if (fractions_ == Fractions::keep) return;
    const Monomial both = common(term.up, term.down);
    term.up = without(term.up, both);
    term.down = without(term.down, both);
  }

  Term power(const Node& node) {
    constexpr double most = 9.0;
    const Term base = closed(node.a);
    const Node exponent = graph_[node.b];
    const bool whole = exponent.op == Op::constant && exponent.value >= 2.0 && exponent.value <= most &&
                       exponent.value == std::floor(exponent.value);
    if (!whole || !std::isfinite(std::pow(base.number, exponent.value)))
      return factor(graph_.binary(Op::power, build(base), build(closed(node.b))));
    Term result = base;
    result.number = std::pow(base.number, exponent.value);
    for (auto* factors : {&result.up, &result.down})
      for (auto& [id, times_here] : *factors) times_here *= static_cast<int>(exponent.value);
    return result;
  }

  // --- a sum as one term ---------------------------------------------------------------------------------------------

  Term closed(Id id) {
    const auto known = closed_.find(id);
    return known != closed_.end() ? known->second : closed_.emplace(id, closed(sums_.at(id))).first->second;
  }

  Term closed(Sum sum) {
    join(sum);
    if (sum.empty()) return {0.0};
    if (sum.size() == 1) return sum[0];
    // what all terms share, with the sign of the first
    Term shared{std::abs(sum[0].number), sum[0].up, sum[0].down};
    for (const Term& term : sum) {
      if (std::abs(term.number) != shared.number) shared.number = 1.0;
      shared.up = common(shared.up, term.up);
      shared.down = common(shared.down, term.down);
    }
    if (std::ranges::all_of(sum, [](const Term& term) { return term.number < 0.0; })) shared.number *= -1.0;
    Id rest = graph_.constant(0.0);
    for (const Term& term : sum)
      rest = graph_.add(
          rest, build({term.number / shared.number, without(term.up, shared.up), without(term.down, shared.down)}));
    return product(shared, factor(rest));
  }

  /// sin a cos b ± cos a sin b = sin(a ± b),  cos a cos b ∓ sin a sin b = cos(a ± b), as long as there is such a pair.
  void join(Sum& sum) {
    constexpr std::size_t searched = 60;  // pairs of longer sums are too many, and nobody reads them
    bool found = sum.size() <= searched;
    while (found) {
      found = false;
      for (std::size_t i = 0; i < sum.size() && !found; ++i)
        for (std::size_t j = 0; j < sum.size() && !found; ++j) {
          if (i == j || std::abs(sum[i].number) != std::abs(sum[j].number) || sum[i].down != sum[j].down) continue;
          const Monomial both = common(sum[i].up, sum[j].up);
          Term joined;
          if (!theorem(without(sum[i].up, both), without(sum[j].up, both), sum[i].number == sum[j].number, joined))
            continue;
          const Term with_rest = product({sum[i].number, both, sum[i].down}, joined);
          sum.erase(sum.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
          sum.erase(sum.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
          sum = added(std::move(sum), single(with_rest), 1.0);
          found = true;
        }
    }
  }

  /// Two factors, each listed as often as it occurs.
  static std::vector<Id> pair_of(const Monomial& monomial) {
    std::vector<Id> factors;
    for (const auto& [id, exponent] : monomial) factors.insert(factors.end(), static_cast<std::size_t>(exponent), id);
    return factors;
  }

  bool theorem(const Monomial& first, const Monomial& second, bool same_sign, Term& joined) {
    const std::vector<Id> x = pair_of(first), y = pair_of(second);
    if (x.size() != 2 || y.size() != 2) return false;
    const auto is = [&](Id id, Op op) { return graph_[id].op == op; };
    const auto argument = [&](Id id) { return graph_[id].a; };
    for (const auto& [p, q] : {std::pair{x[0], x[1]}, std::pair{x[1], x[0]}})
      for (const auto& [r, s] : {std::pair{y[0], y[1]}, std::pair{y[1], y[0]}}) {
        const Id a = argument(p), b = argument(q);
        if (is(p, Op::sin) && is(q, Op::cos) && is(r, Op::cos) && is(s, Op::sin) && argument(r) == a &&
            argument(s) == b) {
          joined = same_sign ? factor(graph_.unary(Op::sin, sum_of(a, b, 1.0))) : sine_of_difference(a, b);
          return true;
        }
        if (is(p, Op::cos) && is(q, Op::cos) && is(r, Op::sin) && is(s, Op::sin) && argument(r) == a &&
            argument(s) == b) {
          joined = factor(
              graph_.unary(Op::cos, same_sign ? sum_of(std::max(a, b), std::min(a, b), -1.0) : sum_of(a, b, 1.0)));
          return true;
        }
      }
    return false;
  }

  /// The later one first, so that sin(a − b) and sin(b − a) are one factor.
  Term sine_of_difference(Id a, Id b) {
    Term result = factor(graph_.unary(Op::sin, sum_of(std::max(a, b), std::min(a, b), -1.0)));
    if (a < b) result.number *= -1.0;
    return result;
  }

  Id sum_of(Id a, Id b, double sign) {
    return tidy(graph_, sign > 0.0 ? graph_.add(a, b) : graph_.subtract(a, b), fractions_);
  }

  // --- back to a graph -----------------------------------------------------------------------------------------------

  /// As one writes a product: names, then functions and sums, then velocities.
  int place(Id id) const {
    const Node& node = graph_[id];
    if (node.op == Op::constant) return 0;
    if (node.op != Op::variable) return 2;
    return graph_.name(id).ends_with('\'') ? 3 : 1;
  }

  Id build(Monomial monomial, Id result) {
    std::ranges::stable_sort(monomial, {}, [this](const auto& factor) { return place(factor.first); });
    for (const auto& [id, exponent] : monomial)
      result = graph_.multiply(
          result, exponent == 1 ? id : graph_.binary(Op::power, id, graph_.constant(static_cast<double>(exponent))));
    return result;
  }

  Id build(const Term& term) {
    const auto [numerator, denominator] = fraction(term.number);
    const Id up = build(term.up, graph_.constant(numerator));
    const Id down = build(term.down, graph_.constant(denominator));
    return graph_.is_constant(down, 1.0) ? up : graph_.divide(up, down);
  }

  /// 0.3333333333333333 is 1/3: a number of many digits that is a ratio of small ones.
  static std::pair<double, double> fraction(double number) {
    constexpr std::size_t long_number = 9;
    if (fmt::format("{}", std::abs(number)).size() < long_number) return {number, 1.0};
    for (double denominator = 3.0; denominator < 100.0; ++denominator) {
      const double numerator = std::round(number * denominator);
      if (numerator != 0.0 && std::abs(numerator) < 100.0 && numerator / denominator == number)
        return {numerator, denominator};
    }
    return {number, 1.0};
  }

  Graph& graph_;
  Fractions fractions_;
  std::unordered_map<Id, Sum> sums_;
  std::unordered_map<Id, Term> closed_;
};

}  // namespace

Id tidy(Graph& graph, Id expression, Fractions fractions) { return Tidying(graph, fractions)(expression); }

}  // namespace maggi::expression
