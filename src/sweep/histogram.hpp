#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace maggi::sweep {

/// How many values lie where: in bins of one width from the least value to the greatest.
struct Histogram {
  double low = 0.0, high = 0.0;
  std::vector<std::uint64_t> counts;  ///< a value between two bins belongs to the upper one, the greatest to the last
};

/// Of finite values: 2 ∛n bins (the rule of Rice), at most 80; one if all are equal, none if there are none.
Histogram histogram(std::span<const double> values);

}  // namespace maggi::sweep
