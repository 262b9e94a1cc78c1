#pragma once
#include <limits>

#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// The scale that a row has by its joint, before it is written in the coordinates of other joints: there a row that
/// follows from others can be as short as the error of the data, and its length says nothing.
struct NaturalScale {
  double size = 1.0;   ///< of the loops [m]
  double noise = 0.0;  ///< what errors of the data leave of an entry that is 0, lengths in units of `size`

  /// What they leave of the f of a row, where that is 0.
  template <class Space>
  double of(const Wrench<Space>& W) const {
    return W.f.squaredNorm() > 0.0 ? noise * size : noise;
  }
};

/// W · S, or 0 where it is nothing but rounding: such a row has no direction that could be trusted.
template <class Space>
double power_or_zero(const Wrench<Space>& W, const Motion<Space>& S, const NaturalScale& scale = {}) {
  constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
  const double value = W.dot(S), square = value * value;
  const double turns = Space::dot(S.w, S.w), along = W.f.squaredNorm();
  const double size = Space::dot(W.n, W.n) * turns + along * S.v.squaredNorm();
  const double unit = along > 0.0 && turns > 0.0 ? scale.size : 1.0;
  return square > rounding * rounding * size && square > scale.noise * scale.noise * unit * unit ? value : 0.0;
}

}  // namespace maggi::mechanism
