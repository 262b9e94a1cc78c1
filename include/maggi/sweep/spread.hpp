#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace maggi {

/// How the values of many runs are distributed.
struct Spread {
  std::uint64_t count = 0;
  double mean = 0.0, deviation = 0.0;  ///< σ² = Σ(x − mean)²/(count − 1); 0 of a single value
  double least = 0.0, greatest = 0.0;
  std::vector<std::pair<double, double>> quantiles;  ///< part, value: linear between the ordered values x_k, part
                                                     ///< k/(count − 1)
};

/// Sums run in the order of the values: the same values give the same bits. All 0 if there are none.
Spread spread(std::span<const double> values, std::span<const double> parts);

}  // namespace maggi
