#pragma once
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi::integration {

/// The active rows among the first `count`; rows are ordered by level.
inline std::vector<int> active_rows(const Dynamics& dynamics, int count) {
  std::vector<int> rows;
  for (const int i : dynamics.active_rows())
    if (i < count) rows.push_back(i);
  return rows;
}

}  // namespace maggi::integration
