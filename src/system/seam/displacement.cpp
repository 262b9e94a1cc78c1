#include "system/seam/displacement.hpp"

namespace maggi {

Vector Displacement::q(const Vector& x) const {
  if (trivial()) return x;
  Vector moved = origin_;
  system_.move(moved.data(), x.data());
  return moved;
}

Matrix Displacement::rates(const Vector& q) const {
  const int n = system_.shape().n();
  Matrix N(system_.shape().nq(), n);
  for (int i = 0; i < n; ++i) system_.coordinate_rates(q.data(), Vector::Unit(n, i).eval().data(), N.col(i).data());
  return N;
}

Matrix Displacement::tangent(const Vector& x) const {
  const int n = system_.shape().n();
  if (trivial()) return Matrix::Identity(n, n);
  Matrix T(n, n);
  for (int i = 0; i < n; ++i) system_.move_rates(x.data(), Vector::Unit(n, i).eval().data(), T.col(i).data());
  return T;
}

std::string displacement_name(const Shape& shape, int i) {
  if (shape.identity_rates) return shape.coordinates[i].name;
  std::string name = shape.velocities[i].name;
  if (name.ends_with('\'')) name.pop_back();
  return name;
}

}  // namespace maggi
