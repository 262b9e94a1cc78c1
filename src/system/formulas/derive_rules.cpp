#include "system/formulas/derive_rules.hpp"

namespace maggi {

using expression::Derivative;
using expression::Id;

std::vector<std::pair<Id, Id>> along_motion(DerivedEquations& e, bool with_acceleration) {
  std::vector<std::pair<Id, Id>> seeds{{e.t, e.graph.constant(1.0)}};
  for (std::size_t i = 0; i < e.q.size(); ++i) {
    seeds.emplace_back(e.q[i], e.v[i]);
    if (with_acceleration) seeds.emplace_back(e.v[i], e.a[i]);
  }
  return seeds;
}

std::vector<Derivative> derivatives_by(const std::vector<Id>& variables, expression::Graph& graph) {
  std::vector<Derivative> derivatives;
  derivatives.reserve(variables.size());
  for (const Id x : variables)
    derivatives.emplace_back(graph, std::vector<std::pair<Id, Id>>{{x, graph.constant(1.0)}});
  return derivatives;
}

}  // namespace maggi
