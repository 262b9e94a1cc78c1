#pragma once
#include <utility>
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// The expression with each variable replaced by what it is paired with.
Id substitute(Graph& graph, Id expression, const std::vector<std::pair<Id, Id>>& replacements);

}  // namespace maggi::expression
