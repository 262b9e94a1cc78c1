#pragma once
#include "maggi/expert/system.hpp"

namespace maggi {

/// Displacements x along the velocities, in which a start is looked for: q = origin moved by x. Where q̇ = v they are
/// the coordinates themselves.
class Displacement {
 public:
  Displacement(const System& system, const Start& start) : system_(system), origin_(start.origin) {}

  bool trivial() const { return origin_.size() == 0; }  ///< x = q

  Vector q(const Vector& x) const;

  /// n × n  velocities that belong to rates of x: v = T ẋ. The identity at x = 0.
  Matrix tangent(const Vector& x) const;

  /// n_q × n  which coordinates a velocity changes, N(q).
  Matrix rates(const Vector& q) const;

 private:
  const System& system_;
  const Vector& origin_;
};

/// What displacement i is called: the coordinate, if q̇ = v; else as its velocity, without the prime.
std::string displacement_name(const Shape& shape, int i);

}  // namespace maggi
