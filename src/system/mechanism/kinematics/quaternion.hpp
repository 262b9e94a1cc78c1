#pragma once
#include <cmath>

#include "base/dual.hpp"
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// p (s, u), all quaternions in the order w, x, y, z.
inline Eigen::Vector4d quaternion_product(const double* p, double s, const double* u) {
  return {p[0] * s - p[1] * u[0] - p[2] * u[1] - p[3] * u[2], p[0] * u[0] + p[1] * s + p[2] * u[2] - p[3] * u[1],
          p[0] * u[1] + p[2] * s + p[3] * u[0] - p[1] * u[2], p[0] * u[2] + p[3] * s + p[1] * u[1] - p[2] * u[0]};
}

/// What velocities along the own axes of a body are along the axes of the frame that a ball carries.
template <class Rotation>
Vector3 in_ball_frame(const Rotation& own, const double* v) {
  Vector3 result = Vector3::Zero();
  if constexpr (requires { own.R; })  // there are no balls in the plane
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) result[i] += value_of(own.R(i, k)) * v[k];
  return result;
}

/// ṗ = ½ p (0, ω), with the angular velocity along the axes of the body that p turns.
inline Eigen::Vector4d quaternion_rate(const double* p, const double* omega) {
  return quaternion_product(p, 0.0, omega) / 2.0;
}

/// p turned on by the rotation vector d, along the same axes.
inline Eigen::Vector4d turned_quaternion(const double* p, const Vector3& d) {
  const double angle = d.norm();
  const Vector3 half = (angle > 1e-8 ? std::sin(angle / 2.0) / angle : 0.5) * d;
  return quaternion_product(p, std::cos(angle / 2.0), half.data()).normalized();
}

/// The angular velocity that belongs to a rate of the rotation vector d: ω = ḋ − a d × ḋ + b d × (d × ḋ), with
/// a = (1 − cos θ)/θ² and b = (θ − sin θ)/θ³ of the angle θ = |d|.
inline Vector3 rotation_vector_rate(const Vector3& d, const Vector3& rate) {
  const double square = d.squaredNorm(), angle = std::sqrt(square), half = std::sin(angle / 2.0);
  const bool small = angle < 0.25;  // below it θ − sin θ loses digits; what is left out of the series is below rounding
  const double a =
      small ? 1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320 - square / 3628800)))
            : 2.0 * half * half / square;
  const double b =
      small ? 1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square * (1.0 / 362880 - square / 39916800)))
            : (angle - std::sin(angle)) / (angle * square);
  return rate - a * d.cross(rate) + b * d.cross(d.cross(rate));
}

}  // namespace maggi::mechanism
