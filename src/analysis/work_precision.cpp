#include "analysis/work_precision.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace maggi {

namespace {

constexpr double smallest_error = 1e-16;  // below, an error is rounding
constexpr double smallest_time = 1e-9;    // [s] a clock may not have ticked

}  // namespace

std::optional<Work> work_to(double accuracy, std::span<const WorkPoint> points) {
  const double goal = std::max(accuracy, smallest_error);
  std::vector<WorkPoint> reached;
  for (const WorkPoint& point : points)
    if (point.failure.empty() && point.end_error) reached.push_back(point);
  std::sort(reached.begin(), reached.end(), [](const auto& a, const auto& b) { return a.rtol > b.rtol; });
  const auto close =
      std::find_if(reached.begin(), reached.end(), [&](const WorkPoint& point) { return *point.end_error <= goal; });
  if (close == reached.end()) return std::nullopt;
  const WorkPoint& b = *close;
  if (close == reached.begin()) return Work{b.seconds, static_cast<double>(b.evaluations)};

  const WorkPoint& a = *std::prev(close);
  const auto level = [](double error) { return std::log(std::max(error, smallest_error)); };
  const double part = (std::log(goal) - level(*a.end_error)) / (level(*b.end_error) - level(*a.end_error));
  const auto between = [&](double from, double to) { return from * std::pow(to / from, part); };
  return Work{between(std::max(a.seconds, smallest_time), std::max(b.seconds, smallest_time)),
              between(static_cast<double>(a.evaluations), static_cast<double>(b.evaluations))};
}

}  // namespace maggi
