#include "system/mechanism/reference/frame.hpp"

#include <cmath>

namespace maggi::mechanism {

Matrix3 frame_about(const Vector3& e, int k) {
  int least = 0;
  for (const int i : {1, 2})
    if (std::abs(e[i]) < std::abs(e[least]) - 1e-9) least = i;
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const bool along_its_own = std::abs(e[k]) > 1.0 - 1e-9;  // axis of the world: so are the others
  const Vector3 x =
      along_its_own ? Vector3(std::copysign(1.0, e[k]) * Vector3::Unit(i)) : Vector3(Vector3::Unit(least));
  Matrix3 frame;
  frame.col(k) = e;
  frame.col(i) = (x - e.dot(x) * e).normalized();
  frame.col(j) = frame.col(k).cross(frame.col(i));
  return frame;
}

}  // namespace maggi::mechanism
