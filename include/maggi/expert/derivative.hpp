#pragma once
#include <unordered_map>
#include <utility>
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// Directional derivative: with seeds x_k ↦ s_k it maps e to Σ_k ∂e/∂x_k s_k, exactly. Variables without seed are
/// constant. Memoised: one object differentiates many expressions and shares their common parts.
///
///     ∂e/∂x            Derivative(g, {{x, one}})
///     de/dt            Derivative(g, {{q1, v1}, ..., {t, one}}), along the motion
///
/// abs, sign, min, max, comparisons and select are differentiated piecewise (at the corner: the side that `apply`
/// takes).
class Derivative {
 public:
  Derivative(Graph& graph, const std::vector<std::pair<Id, Id>>& seeds);
  Id operator()(Id expression);

 private:
  Id rule(const Node& node, Id id);  // its operands are memoised already
  Id binary_rule(const Node& node, Id id);
  Id function_rule(const Node& node, Id id);
  Id power_rule(const Node& node, Id id);

  Graph& graph_;
  std::unordered_map<Id, Id> memo_;
};

}  // namespace maggi::expression
