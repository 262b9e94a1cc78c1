#include "basis/closed_form.hpp"

#include <fmt/format.h>

#include "expression/tidy.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/derivative.hpp"
#include "maggi/expert/print.hpp"

namespace maggi {

namespace {

using expression::Id;

/// Characters of all formulas, or one more than allowed.
std::size_t length(const expression::Graph& graph, const std::vector<Id>& formulas) {
  std::size_t sum = 0;
  for (const Id id : formulas) {
    try {
      sum += expression::print(graph, id).size();
    } catch (const Error&) { return longest_closed_form + 1; }  // it is endless
    if (sum > longest_closed_form) break;
  }
  return sum;
}

/// d/dt along the motion. Rows that are nonlinear in v̇ have a D that depends on v̇, and a Ḋ with its derivative, x'''.
expression::Derivative along_the_motion(DerivedEquations& e) {
  std::vector<std::pair<Id, Id>> seeds{{e.t, e.graph.constant(1.0)}};
  for (std::size_t i = 0; i < e.q.size(); ++i) {
    const Id jerk = e.graph.variable(std::string(e.graph.name(e.a[i])) + "'");
    seeds.insert(seeds.end(), {{e.q[i], e.v[i]}, {e.v[i], e.a[i]}, {e.a[i], jerk}});
  }
  return {e.graph, seeds};
}

}  // namespace

ClosedForm closed_form(DerivedEquations& equations, const Basis& basis) {
  ClosedForm result{static_cast<int>(basis.D().rows()), static_cast<int>(basis.D().cols())};
  result.why = basis.closed_form(equations, result.D);
  if (result.why.empty()) {
    expression::Derivative rate = along_the_motion(equations);
    for (Id& entry : result.D) {
      entry = expression::tidy(equations.graph, entry, expression::Fractions::cancel);
      result.Ddot.push_back(expression::tidy(equations.graph, rate(entry), expression::Fractions::cancel));
    }
    if (length(equations.graph, result.D) + length(equations.graph, result.Ddot) > longest_closed_form)
      result.why = fmt::format("it has more than {} characters", longest_closed_form);
  }
  if (!result.why.empty()) result.D.clear(), result.Ddot.clear();
  return result;
}

}  // namespace maggi
