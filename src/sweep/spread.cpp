#include "maggi/sweep/spread.hpp"

#include <algorithm>
#include <cmath>

namespace maggi {

Spread spread(std::span<const double> values, std::span<const double> parts) {
  Spread result;
  result.count = values.size();
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double x : values) sum += x;
  result.mean = sum / count;
  double squares = 0.0;
  for (const double x : values) squares += (x - result.mean) * (x - result.mean);
  result.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1.0)) : 0.0;

  std::vector<double> ordered(values.begin(), values.end());
  std::ranges::sort(ordered);
  result.least = ordered.front();
  result.greatest = ordered.back();
  for (const double part : parts) {
    const double place = part * (count - 1.0);
    const auto below = static_cast<std::size_t>(place);
    const double low = ordered[below], high = ordered[std::min(below + 1, ordered.size() - 1)];
    result.quantiles.emplace_back(part, low + (place - static_cast<double>(below)) * (high - low));
  }
  return result;
}

}  // namespace maggi
