#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi {

/// The least entry and where it is; a NaN counts as −∞. The vector is not empty.
struct Least {
  explicit Least(const Vector& values);
  double value;
  Eigen::Index where = 0;
};

/// Unit vectors in which a friction force of this many components is bounded: both senses of one, of several the
/// corners of polygons that stand for the cone.
std::vector<Vector> directions_of_cone(int size);

/// What is left of inequalities  value + D z ≥ 0  at the z where the least of them is largest, but not above `most`.
struct FeasibleShare {
  Vector z;
  double margin = 0.0;  ///< the least of value + D z there
};

/// A linear programme, as a complementarity problem [CottlePangStone2009, 1.2]; the last digits come from one linear
/// solution on the inequalities that are met with equality.
FeasibleShare find_feasible_share(const Vector& value, const Matrix& D, double most);

/// The largest value of g · z under  value + D z ≥ 0, not above `most`; nothing is said if no z obeys.
double largest_over_shares(const Vector& g, const Vector& value, const Matrix& D, double most);

}  // namespace maggi
