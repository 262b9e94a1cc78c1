#pragma once
#include <limits>

namespace maggi {

/// All numbers from low to high; everything by default, nothing if low > high.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  static Interval point(double x) { return {x, x}; }
  static Interval nothing() { return {1.0, 0.0}; }
  bool empty() const { return !(low <= high); }
  bool contains(double x) const { return low <= x && x <= high; }
};

}  // namespace maggi
