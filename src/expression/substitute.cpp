#include "expression/substitute.hpp"

#include <algorithm>

#include "expression/needed.hpp"

namespace maggi::expression {

Id substitute(Graph& graph, Id expression, const std::vector<std::pair<Id, Id>>& replacements) {
  const std::vector<bool> needed = needed_nodes(graph, expression);
  std::vector<Id> image(expression + 1, 0);
  for (Id id = 0; id <= expression; ++id) {
    if (!needed[id]) continue;
    const Node node = graph[id];  // a copy: the graph grows
    switch (arity(node.op)) {
      case 0: {
        const auto found = std::find_if(replacements.begin(), replacements.end(),
                                        [id](const std::pair<Id, Id>& pair) { return pair.first == id; });
        image[id] = found == replacements.end() ? id : found->second;
        break;
      }
      case 1: image[id] = graph.unary(node.op, image[node.a]); break;
      case 2: image[id] = graph.binary(node.op, image[node.a], image[node.b]); break;
      default: image[id] = graph.select(image[node.a], image[node.b], image[node.c]);
    }
  }
  return image[expression];
}

}  // namespace maggi::expression
