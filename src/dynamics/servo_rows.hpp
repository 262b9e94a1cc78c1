#pragma once
#include <vector>

#include "maggi/expert/shape.hpp"

namespace maggi {

/// Those of the rows that have a reaction of their own, or those that controls keep.
inline std::vector<int> rows_of_kind(const Shape& shape, const std::vector<int>& rows, bool servo) {
  std::vector<int> result;
  for (const int i : rows)
    if (shape.rows[i].has_multiplier() != servo) result.push_back(i);
  return result;
}

}  // namespace maggi
