#include "system/mechanism/reference/frame.hpp"

#include <cmath>

#include "base/dual.hpp"

namespace maggi::mechanism {

template <class Real>
Matrix3Over<Real> frame_about(const Vector3Over<Real>& e, int k) {
  using Direction = Vector3Over<Real>;
  using std::abs;
  int least = 0;
  for (const int i : {1, 2})
    if (abs(e[i]) < abs(e[least]) - 1e-9) least = i;
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const bool along_its_own = abs(e[k]) > 1.0 - 1e-9;  // axis of the world: so are the others
  const Direction x = along_its_own ? Direction(std::copysign(1.0, value_of(e[k])) * Direction::Unit(i))
                                    : Direction(Direction::Unit(least));
  Matrix3Over<Real> frame;
  frame.col(k) = e;
  frame.col(i) = (x - e.dot(x) * e).normalized();
  frame.col(j) = frame.col(k).cross(frame.col(i));
  return frame;
}

template Matrix3 frame_about(const Vector3&, int);
template Matrix3Over<Dual> frame_about(const Vector3Over<Dual>&, int);

}  // namespace maggi::mechanism
