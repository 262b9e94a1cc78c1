#include "system/mechanism/reference/frame.hpp"

#include "base/dual.hpp"

namespace maggi::mechanism {

template <class Real>
Matrix3Over<Real> frame_about(const Vector3Over<Real>& e, int k) {
  using Direction = Vector3Over<Real>;
  constexpr double rounding = 1e-12;  // of an axis that is typed or computed as −E_k
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const Real across = e[i] * e[i] + e[j] * e[j];
  const bool opposite = e[k] < 0.0 && across < rounding * rounding;
  const double side = opposite ? -1.0 : 1.0;  // the least rotation is that of side E_k
  const Real c = side * e[k];
  const Real one_and_c = c < 0.0 ? across / (1.0 - c) : 1.0 + c;  // 1 + c without cancellation
  Matrix3Over<Real> frame;
  frame.col(k) = e;
  for (const int n : {i, j}) {
    const double turned = n == i ? side : 1.0;  // half a turn about E_j reverses E_i
    frame.col(n) = turned * (Direction(Direction::Unit(n)) - e[n] / one_and_c * e);
    frame(k, n) = -turned * side * e[n];
  }
  return frame;
}

template Matrix3 frame_about(const Vector3&, int);
template Matrix3Over<Dual> frame_about(const Vector3Over<Dual>&, int);

}  // namespace maggi::mechanism
