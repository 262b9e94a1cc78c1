#pragma once
#include <unordered_map>

#include "maggi/expert/expression.hpp"
#include "maggi/expert/interval.hpp"

namespace maggi::expression {

/// Bounds of an expression over a box: its natural interval extension. Every operation is rounded outwards, so a value
/// outside the bounds is not taken anywhere in the box; inside, nothing is said. Where no value exists (the root of a
/// negative number) the bounds are those of the rest of the box, and empty if nothing is left.
/// Variables that are not in the box may have any value.
Interval bounds(const Graph& graph, Id expression, const std::unordered_map<Id, Interval>& box);

}  // namespace maggi::expression
