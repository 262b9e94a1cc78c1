#pragma once
#include <optional>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi::integration {

/// The extreme value that a constraint which depends on time, s(q) = g(t), meets under the other constraints: beyond it
/// no configuration has what the constraint asks for. With C and γ of the other rows at a time that is held,
///
///     C v = 0, v = V x:   s_q V = 0,   xᵀ(Vᵀ s_qq V) x = s̈ with C v̇ = γ, definite                            (1)
///
/// Newton's method from a configuration nearby, each step followed by a projection onto the other rows.
struct ExtremeValue {
  int row = -1;
  bool greatest = true;
  double time_left = 0.0;  ///< until g has this value, or since then, as it changes now [s]
  State at;                ///< where s has it
  /// "the mechanism locks: "ram" asks for 1.54828 m and more; ram.length has its greatest value 1.54828 m here (…)"
  std::string text;
};

/// Of the active position rows that depend on time the first one that has an extreme value near `from` which stops the
/// demand; none if there is no such row.
std::optional<ExtremeValue> find_extreme_value(Dynamics& dynamics, const State& from);

}  // namespace maggi::integration
