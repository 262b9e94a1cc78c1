#pragma once
#include <cstdint>

namespace maggi {

/// One number of each of eight states that are computed side by side: lane by lane, in the order in which vector
/// instructions want them.
struct alignas(64) Eight {
  static constexpr int lanes = 8;
  double lane[lanes] = {};

  double& operator[](int l) { return lane[l]; }
  double operator[](int l) const { return lane[l]; }
};

/// Some of the eight lanes: bit l stands for lane l.
using LaneSet = std::uint8_t;

inline bool contains(LaneSet set, int lane) { return (set >> lane & 1) != 0; }

}  // namespace maggi
