#include "expression/transfer.hpp"

#include <cassert>

#include "expression/needed.hpp"

namespace maggi::expression {

Id Transfer::operator()(Id formula) {
  const std::vector<bool> needed = needed_nodes(from_, formula);
  for (Id id = 0; id <= formula; ++id) {
    if (!needed[id] || image_.contains(id)) continue;
    const Node& node = from_[id];
    assert(node.op != Op::variable);
    switch (arity(node.op)) {
      case 0: image_[id] = to_.constant(node.value); break;
      case 1: image_[id] = to_.unary(node.op, image_.at(node.a)); break;
      case 2: image_[id] = to_.binary(node.op, image_.at(node.a), image_.at(node.b)); break;
      default: image_[id] = to_.select(image_.at(node.a), image_.at(node.b), image_.at(node.c));
    }
  }
  return image_.at(formula);
}

}  // namespace maggi::expression
