#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "maggi/sweep/table.hpp"

namespace maggi::sweep {

/// How an output goes with a quantity that varied, whatever the others are: over all runs that did not fail, in bins of
/// the quantity from its least value to its greatest.
struct Trend {
  std::vector<double> x;                   ///< mean of the quantity in each bin
  std::vector<std::uint64_t> counts;       ///< runs; none is 0
  std::vector<std::vector<double>> mean;   ///< by output and bin
  std::vector<std::vector<double>> lower;  ///< quantile of the first part
  std::vector<std::vector<double>> upper;  ///< of the second
};

/// By an axis of the design: a bin is a value of the grid, several if there are more than 40, or of a quantity that is
/// drawn one of parts of equal probability. None where bins would be fewer than 3, or hold fewer than 10 runs each.
std::optional<Trend> trend(const SweepTable& table, std::size_t axis, std::pair<double, double> parts);

}  // namespace maggi::sweep
