#pragma once
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// The nodes that an expression consists of, by id. Operands have smaller ids than their results: going upwards, every
/// operand is known when it is needed.
inline std::vector<bool> needed_nodes(const Graph& graph, Id expression) {
  std::vector<bool> needed(expression + 1, false);
  needed[expression] = true;
  for (Id id = expression + 1; id-- > 0;) {
    if (!needed[id]) continue;
    const Node& node = graph[id];
    const Id operands[] = {node.a, node.b, node.c};
    for (int i = 0; i < arity(node.op); ++i) needed[operands[i]] = true;
  }
  return needed;
}

}  // namespace maggi::expression
