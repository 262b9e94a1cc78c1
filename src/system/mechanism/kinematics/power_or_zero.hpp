#pragma once
#include <limits>

#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// W · S, or 0 where it is nothing but rounding: such a row has no direction that could be trusted.
template <class Space>
double power_or_zero(const Wrench<Space>& W, const Motion<Space>& S) {
  constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
  const double value = W.dot(S);
  const double size = Space::dot(W.n, W.n) * Space::dot(S.w, S.w) + W.f.squaredNorm() * S.v.squaredNorm();
  return value * value > rounding * rounding * size ? value : 0.0;
}

}  // namespace maggi::mechanism
