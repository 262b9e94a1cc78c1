#pragma once
#include <cmath>

#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

// Values of a mechanism, one after the other as outputs and drawing have them; `next` is where the next one goes.

inline void write(double value, double*& next) { *next++ = value; }
template <class Derived>
void write(const Eigen::MatrixBase<Derived>& value, double*& next) {
  for (Eigen::Index k = 0; k < value.size(); ++k) *next++ = value[k];
}

/// An angle, or a quaternion w, x, y, z.
inline void write_turn(const Planar::Rotation& R, double*& next) { *next++ = std::atan2(R.s, R.c); }
inline void write_turn(const Spatial::Rotation& R, double*& next) {
  const Eigen::Quaterniond q(R.R);
  for (const double value : {q.w(), q.x(), q.y(), q.z()}) *next++ = value;
}

inline double along(const Planar::Rotation&, double torque) { return torque; }
inline Vector3 along(const Spatial::Rotation& R, const Vector3& torque) { return R * torque; }

/// Force and torque F of a joint on one of its bodies.
template <class Space>
void write(const JointSide<Space>& side, const Wrench<Space>& F, const LinkState<Space>& s, double*& next) {
  const typename Space::Rotation to_axes = (s.pose[side.axes.first].R * side.axes.second).transpose();
  write(to_axes * F.f, next);
  if (side.torque) write(along(to_axes, F.about(s.pose[side.at.link] * side.at.at)), next);
}

inline void write_turn(const LoopCoordinate&, const Planar::Rotation&, double*&) {}  // a sum of turns
inline void write_turn(const LoopCoordinate& coordinate, const Spatial::Rotation& R, double*& next) {
  if (coordinate.shows == LoopCoordinate::Shows::rotation) return write_turn(R, next);
  if (coordinate.shows == LoopCoordinate::Shows::angle)
    *next++ = std::atan2(R.R(1, 0) - R.R(0, 1), R.R(0, 0) + R.R(1, 1));  // also while the axes are a little apart
  else                                                                   // R = R_x(angle_1) R_y(angle_2)
    *next++ = coordinate.axis == 0 ? std::atan2(R.R(2, 1), R.R(1, 1)) : std::atan2(R.R(0, 2), R.R(0, 0));
}

/// A coordinate of a joint that closes a loop, between the frames of `ends`.
template <class Space>
void write(const LoopCoordinate& coordinate, const Closure<Space>& ends, const double* q, const LinkState<Space>& s,
           double*& next) {
  const Pose<Space> A = s.pose[ends.a] * ends.on_a, B = s.pose[ends.b] * ends.on_b;
  if (coordinate.shows == LoopCoordinate::Shows::slide) {
    *next++ = coordinate.scale * A.R.col(coordinate.axis).dot(B.p - A.p);
  } else if (coordinate.shows == LoopCoordinate::Shows::turns) {
    double sum = 0.0;
    for (const CoordinateSum::Term& term : coordinate.turns.terms) sum += term.sign * q[term.q];
    *next++ = sum;
  } else {
    write_turn(coordinate, A.R.transpose() * B.R, next);
  }
}

// Placements of planar bodies, as of spatial ones.

inline Vector3 in_space(const Vector2& x) { return {x[0], x[1], 0.0}; }
inline Vector3 in_space(const Vector3& x) { return x; }
inline Matrix3 in_space(const Planar::Rotation& R) {
  return Eigen::AngleAxisd(std::atan2(R.s, R.c), Vector3::UnitZ()).toRotationMatrix();
}
inline Matrix3 in_space(const Spatial::Rotation& R) { return R.R; }
inline Vector3 turning(double w) { return {0.0, 0.0, w}; }
inline Vector3 turning(const Vector3& w) { return w; }

}  // namespace maggi::mechanism
