#include "dynamics/feasible_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decompositions.hpp"
#include "dynamics/complementarity.hpp"

namespace maggi {

Least::Least(const Vector& values) : value(std::numeric_limits<double>::infinity()) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double each = std::isnan(values[i]) ? -std::numeric_limits<double>::infinity() : values[i];
    if (each < value) value = each, where = i;
  }
}

std::vector<Vector> directions_of_cone(int size) {
  constexpr int corners = 16;
  if (size == 1) return {Vector::Ones(1), -Vector::Ones(1)};
  std::vector<Vector> result;
  for (int a = 0; a < size; ++a)
    for (int b = a + 1; b < size; ++b)
      for (int k = 0; k < corners; ++k) {
        Vector direction = Vector::Zero(size);
        direction[a] = std::cos(2.0 * M_PI * k / corners);
        direction[b] = std::sin(2.0 * M_PI * k / corners);
        result.push_back(std::move(direction));
      }
  return result;
}

namespace {

/// max c·u under A u ≤ b, u ≥ 0. The conditions of optimality, with y ≥ 0 of A u ≤ b:
///
///     0 ≤ u ⊥ Aᵀy − c ≥ 0,   0 ≤ y ⊥ b − A u ≥ 0
bool maximise(const Vector& c, const Matrix& A, const Vector& b, Vector& u) {
  const Eigen::Index m = A.rows(), n = A.cols();
  Matrix K = Matrix::Zero(n + m, n + m);
  K.topRightCorner(n, m) = A.transpose();
  K.bottomLeftCorner(m, n) = -A;
  Vector right(n + m), solution;
  right << -c, b;
  if (!solve_complementarity(K, right, solution)) return false;
  u = solution.head(n);
  return true;
}

double least_of(const Vector& value, const Matrix& D, const Vector& z) {
  const Vector left = value + D * z;
  return left.size() > 0 ? Least(left).value : 0.0;
}

/// The inequalities that limit the margin, solved as equations: value + D z = margin.
void polish(const Vector& value, const Matrix& D, FeasibleShare& share, double size) {
  constexpr double near = 1e-6;
  std::vector<Eigen::Index> active;
  const Vector left = value + D * share.z;
  for (Eigen::Index i = 0; i < left.size(); ++i)
    if (left[i] <= share.margin + near * size) active.push_back(i);
  Matrix A(static_cast<Eigen::Index>(active.size()), D.cols() + 1);
  A << D(active, Eigen::all), Vector::Constant(A.rows(), -1.0);
  Vector now(D.cols() + 1);
  now << share.z, share.margin;
  const Vector change = A.completeOrthogonalDecomposition().solve(-value(active) - A * now);
  const Vector z = share.z + change.head(D.cols());
  const double margin = least_of(value, D, z);
  if (margin >= share.margin - near * size) share = {z, margin};
}

}  // namespace

FeasibleShare find_feasible_share(const Vector& value, const Matrix& D, double most) {
  const Eigen::Index k = D.cols(), m = D.rows();
  FeasibleShare share{Vector::Zero(k), least_of(value, D, Vector::Zero(k))};
  const double size = value.cwiseAbs().sum() + most;
  if (k == 0 || m == 0 || !(size > 0.0)) {
    share.margin = std::min(share.margin, most);
    return share;
  }
  // u = (z⁺, z⁻, s + size): value + D z ≥ s, s ≤ most; all divided by size
  Matrix A = Matrix::Zero(m + 1, 2 * k + 1);
  A.topLeftCorner(m, k) = -D;
  A.block(0, k, m, k) = D;
  A.col(2 * k).setOnes();
  Vector b(m + 1), c = Vector::Unit(2 * k + 1, 2 * k), u;
  b << (value / size).array() + 2.0, most / size + 2.0;
  if (!maximise(c, A, b, u)) return share;
  share.z = size * (u.head(k) - u.segment(k, k));
  share.margin = least_of(value, D, share.z);
  polish(value, D, share, size);
  share.margin = std::min(share.margin, most);
  return share;
}

double largest_over_shares(const Vector& g, const Vector& value, const Matrix& D, double most) {
  const Eigen::Index k = D.cols(), m = D.rows();
  const double size = value.cwiseAbs().sum() + most;
  if (k == 0 || !(size > 0.0)) return 0.0;
  Matrix A = Matrix::Zero(m + 1, 2 * k);
  A.topLeftCorner(m, k) = -D;
  A.topRightCorner(m, k) = D;
  A.bottomLeftCorner(1, k) = g.transpose();
  A.bottomRightCorner(1, k) = -g.transpose();
  constexpr double slack = 1e-9;  // rounding of the solution at hand
  Vector b(m + 1), c(2 * k), u;
  b << (value / size).array() + slack, most / size;
  c << g, -g;
  if (!maximise(c, A, b, u)) return 0.0;
  return size * c.dot(u);
}

}  // namespace maggi
