#include "expression/expand.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "expression/needed.hpp"

namespace maggi::expression {

namespace {

/// Atoms with their powers, sorted by atom; an atom is whatever is not opened up.
using Monomial = std::vector<std::pair<Id, int>>;
using Polynomial = std::map<Monomial, double>;

class Expansion {
 public:
  Expansion(Graph& graph, std::span<const Id> parameters, std::size_t most_terms)
      : graph_(graph), most_(most_terms), parameter_only_(graph.size(), false) {
    std::vector<bool> is_parameter(graph.size(), false);
    for (const Id p : parameters) is_parameter[p] = true;
    for (Id id = 0; id < graph.size(); ++id) {
      const Node& node = graph[id];
      const int operands = arity(node.op);
      parameter_only_[id] = node.op == Op::constant || (node.op == Op::variable && is_parameter[id]) ||
                            (operands > 0 && parameter_only_[node.a] && (operands < 2 || parameter_only_[node.b]) &&
                             (operands < 3 || parameter_only_[node.c]));
    }
  }

  Id operator()(Id expression) {
    const std::vector<bool> needed = needed_nodes(graph_, expression);
    for (Id id = 0; id <= expression; ++id) {
      if (!needed[id]) continue;
      Polynomial p = open(id);
      if (p.size() > most_) return expression;
      polynomials_.emplace(id, std::move(p));
      if (is_opened(id)) opened_.insert(id);
    }
    return build(polynomials_.at(expression));
  }

 private:
  static Polynomial atom(Id id) { return {{{{id, 1}}, 1.0}}; }

  /// One level: the polynomials of the operands are known.
  Polynomial open(Id id) {
    const Node node = graph_[id];
    if (node.op == Op::constant) return node.value == 0.0 ? Polynomial{} : Polynomial{{{}, node.value}};
    switch (node.op) {
      case Op::add: return sum(polynomials_.at(node.a), polynomials_.at(node.b), 1.0);
      case Op::subtract: return sum(polynomials_.at(node.a), polynomials_.at(node.b), -1.0);
      case Op::negate: return sum({}, polynomials_.at(node.a), -1.0);
      case Op::multiply:
        if (graph_[node.a].op == Op::constant) return sum({}, polynomials_.at(node.b), graph_[node.a].value);
        if (graph_[node.b].op == Op::constant) return sum({}, polynomials_.at(node.a), graph_[node.b].value);
        return product(factor(node.a), factor(node.b));
      case Op::divide: return quotient(node);
      case Op::power: return power(id, node);
      default: return atom(id);
    }
  }

  /// The polynomial of a factor; a sum that never contained sines and cosines stays closed.
  Polynomial factor(Id id) const {
    const Polynomial& p = polynomials_.at(id);
    return p.size() <= 1 || opened_.contains(id) ? p : atom(id);
  }

  bool is_opened(Id id) const {
    switch (const Node& node = graph_[id]; node.op) {
      case Op::sin:
      case Op::cos: return true;
      case Op::negate:
      case Op::power: return opened_.contains(node.a);
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::divide: return opened_.contains(node.a) || opened_.contains(node.b);
      default: return false;
    }
  }

  static Polynomial sum(Polynomial a, const Polynomial& b, double factor_of_b) {
    for (const auto& [monomial, coefficient] : b) {
      const double value = (a[monomial] += factor_of_b * coefficient);
      if (value == 0.0) a.erase(monomial);
    }
    return a;
  }

  Polynomial product(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    if (a.size() * b.size() > 16 * most_) return overflow();
    for (const auto& [ma, ca] : a)
      for (const auto& [mb, cb] : b) {
        result = sum(std::move(result), reduced(merged(ma, mb), ca * cb), 1.0);
        if (result.size() > most_) return result;
      }
    return result;
  }

  /// More terms than allowed: the caller gives up.
  Polynomial overflow() const {
    Polynomial result;
    for (std::size_t i = 0; i <= most_; ++i) result[{{static_cast<Id>(i), 1}}] = 1.0;
    return result;
  }

  static Monomial merged(const Monomial& a, const Monomial& b) {
    Monomial result;
    auto i = a.begin(), j = b.begin();
    while (i != a.end() || j != b.end()) {
      if (j == b.end() || (i != a.end() && i->first < j->first))
        result.push_back(*i++);
      else if (i == a.end() || j->first < i->first)
        result.push_back(*j++);
      else {
        result.emplace_back(i->first, i->second + j->second);
        ++i, ++j;
      }
    }
    return result;
  }

  /// sin²x = 1 − cos²x wherever it occurs.
  Polynomial reduced(Monomial monomial, double coefficient) {
    for (auto& [id, exponent] : monomial) {
      if (graph_[id].op != Op::sin || exponent < 2) continue;
      const Id cosine = graph_.unary(Op::cos, graph_[id].a);
      exponent -= 2;
      std::erase_if(monomial, [](const auto& f) { return f.second == 0; });
      const Polynomial without = reduced(monomial, coefficient);
      return sum(without, reduced(merged(monomial, {{cosine, 2}}), coefficient), -1.0);
    }
    return {{std::move(monomial), coefficient}};
  }

  Polynomial quotient(const Node& node) {
    const Node& divisor = graph_[node.b];
    if (divisor.op == Op::constant && divisor.value != 0.0 && std::isfinite(1.0 / divisor.value)) {
      Polynomial p = polynomials_.at(node.a);
      for (auto& [monomial, coefficient] : p) coefficient /= divisor.value;
      return p;
    }
    return product(factor(node.a), atom(graph_.divide(graph_.constant(1.0), node.b)));
  }

  Polynomial power(Id id, const Node& node) {
    const Node& exponent = graph_[node.b];
    if (exponent.op != Op::constant || exponent.value < 2.0 || exponent.value > 4.0 ||
        exponent.value != std::floor(exponent.value))
      return atom(id);
    const Polynomial base = factor(node.a);
    Polynomial result = base;
    for (int i = 1; i < static_cast<int>(exponent.value); ++i) result = product(result, base);
    return result;
  }

  // --- back to a graph -----------------------------------------------------------------------------------------------

  /// Terms with equal atoms share one coefficient of numbers and parameters; the coefficient counts as an atom, so that
  /// it is factored out like the others.
  Id build(const Polynomial& p) {
    std::map<Monomial, Id> coefficients;
    for (const auto& [monomial, number] : p) {
      Monomial variable;
      Id coefficient = graph_.constant(number);
      for (const auto& [id, exponent] : monomial) {
        if (id < parameter_only_.size() && parameter_only_[id])
          coefficient = graph_.multiply(coefficient, integer_power(id, exponent));
        else
          variable.emplace_back(id, exponent);
      }
      const auto [place, is_new] = coefficients.emplace(variable, coefficient);
      if (!is_new) place->second = graph_.add(place->second, coefficient);
    }
    std::vector<Term> terms;
    for (const auto& [monomial, coefficient] : coefficients) {
      if (graph_.is_zero(coefficient)) continue;
      if (graph_[coefficient].op == Op::constant)
        terms.push_back({monomial, graph_[coefficient].value});
      else
        terms.push_back({merged(monomial, {{coefficient, 1}}), 1.0});
    }
    return factored(terms);
  }

  struct Term {
    Monomial atoms;
    double number;
  };

  Id integer_power(Id id, int exponent) {
    return exponent == 1 ? id : graph_.binary(Op::power, id, graph_.constant(exponent));
  }

  Id single(const Term& term) {
    Id result = graph_.constant(term.number);
    for (const auto& [id, exponent] : term.atoms) result = graph_.multiply(result, integer_power(id, exponent));
    return result;
  }

  /// Σ terms, with the atom that most terms share taken out first (Horner).
  Id factored(const std::vector<Term>& terms) {
    if (terms.empty()) return graph_.constant(0.0);
    std::map<Id, int> counts;
    for (const Term& term : terms)
      for (const auto& [id, exponent] : term.atoms) ++counts[id];
    Id best = 0;
    int most = 1;
    for (const auto& [id, count] : counts)
      if (count > most) best = id, most = count;
    if (most == 1) {
      Id result = single(terms[0]);
      for (std::size_t i = 1; i < terms.size(); ++i) result = graph_.add(result, single(terms[i]));
      return result;
    }
    std::vector<Term> with, without;
    for (const Term& term : terms) {
      const auto found =
          std::find_if(term.atoms.begin(), term.atoms.end(), [&](const auto& f) { return f.first == best; });
      if (found == term.atoms.end()) {
        without.push_back(term);
        continue;
      }
      Term rest = term;
      auto& taken = rest.atoms[found - term.atoms.begin()];
      if (--taken.second == 0) rest.atoms.erase(rest.atoms.begin() + (found - term.atoms.begin()));
      with.push_back(std::move(rest));
    }
    return graph_.add(factored(without), graph_.multiply(best, factored(with)));
  }

  Graph& graph_;
  std::size_t most_;
  std::vector<bool> parameter_only_;  // of the nodes that existed at the beginning
  std::unordered_map<Id, Polynomial> polynomials_;
  std::unordered_set<Id> opened_;  // contain sines or cosines that take part in the expansion
};

}  // namespace

Id expand_trigonometric(Graph& graph, Id expression, std::span<const Id> parameters, std::size_t most_terms) {
  return Expansion(graph, parameters, most_terms)(expression);
}

}  // namespace maggi::expression
