#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "maggi/sweep/design.hpp"

namespace maggi::sweep {

/// Some runs of a design, where all would be too many to draw. They are a design again: of each axis of the grid every
/// second, third ... value and the last, and at each point the first draws.
struct Decimation {
  std::vector<std::uint64_t> runs;  ///< ascending
  std::string text;                 ///< "of l one value in 3, of 1000 draws the first 200"; empty if all are there
};

/// At most so many. Draws are left out first, then values of the axis that has most.
Decimation decimate(const Design& design, std::uint64_t most);

}  // namespace maggi::sweep
