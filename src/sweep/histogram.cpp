#include "sweep/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace maggi::sweep {

Histogram histogram(std::span<const double> values) {
  if (values.empty()) return {};
  const auto [least, greatest] = std::ranges::minmax(values);
  constexpr double most = 80.0;  // more would be finer than one can see
  const double bins =
      least < greatest ? std::min(most, std::ceil(2.0 * std::cbrt(static_cast<double>(values.size())))) : 1;
  Histogram result{least, greatest, std::vector<std::uint64_t>(static_cast<std::size_t>(bins))};
  const double middle = 0.5 * least + 0.5 * greatest, half = 0.5 * greatest - 0.5 * least;  // no overflow
  for (const double value : values) {
    const double part = half > 0.0 ? 0.5 + 0.5 * ((value - middle) / half) : 0.0;
    ++result.counts[static_cast<std::size_t>(std::clamp(part * bins, 0.0, bins - 1.0))];
  }
  return result;
}

}  // namespace maggi::sweep
