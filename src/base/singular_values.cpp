#include "base/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/decompositions.hpp"
#include "base/largest.hpp"

namespace maggi {

namespace {

/// Rotates columns i and j of G, and of J with them, so that they become orthogonal. False: they were.
bool make_orthogonal(Matrix& G, Matrix& J, int i, int j) {
  constexpr double orthogonal = 4 * std::numeric_limits<double>::epsilon();  // rounding of a scalar product of units
  constexpr double smallest = 1e-280;  // squares of columns below it are not numbers of full precision
  const double a = G.col(i).squaredNorm(), b = G.col(j).squaredNorm(), ab = G.col(i).dot(G.col(j));
  if (a < smallest || b < smallest || !(std::abs(ab) > orthogonal * std::sqrt(a) * std::sqrt(b))) return false;
  const double zeta = (b - a) / (2 * ab);
  const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
  const double cosine = 1 / std::hypot(1.0, tangent), sine = cosine * tangent;
  const auto rotate = [&](Matrix& X) {
    for (int k = 0; k < X.rows(); ++k) {
      const double x = X(k, i), y = X(k, j);
      X(k, i) = cosine * x - sine * y;
      X(k, j) = sine * x + cosine * y;
    }
  };
  rotate(G);
  rotate(J);
  return true;
}

/// Rotations until all columns are orthogonal: convergence is quadratic, a handful of sweeps is usual.
void make_orthogonal(Matrix& G, Matrix& J) {
  constexpr int most_sweeps = 40;
  const auto k = static_cast<int>(G.cols());
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (int i = 0; i + 1 < k; ++i)
      for (int j = i + 1; j < k; ++j) rotated |= make_orthogonal(G, J, i, j);
  }
}

/// Orthonormal columns of the nonzero ones among Σ-scaled columns G; the others complete them to a basis.
Matrix unit_columns(const Matrix& G, const Vector& sigma) {
  const auto k = static_cast<int>(G.cols());
  int r = 0;
  while (r < k && sigma[r] > 0.0) ++r;
  Matrix W(k, k);
  for (int j = 0; j < r; ++j) W.col(j) = G.col(j) / sigma[j];
  if (r < k) {
    const Eigen::HouseholderQR<Matrix> qr{Matrix(W.leftCols(r))};
    const Matrix Q = qr.householderQ() * Matrix::Identity(k, k);
    W.rightCols(k - r) = Q.rightCols(k - r);
  }
  return W;
}

/// For A with no more columns than rows.
void decompose_tall(const Matrix& A, Matrix& U, Matrix& V, Vector& sigma) {
  const auto k = static_cast<int>(A.cols());
  const Eigen::ColPivHouseholderQR<Matrix> qr(A);
  Matrix G = Matrix::Zero(k, k), J = Matrix::Identity(k, k);  // Rᵀ J = W Σ, so that R = J Σ Wᵀ
  for (int i = 0; i < k; ++i)
    for (int j = 0; j <= i; ++j) G(i, j) = qr.matrixQR()(j, i);
  make_orthogonal(G, J);

  Vector lengths(k);
  for (int j = 0; j < k; ++j) lengths[j] = G.col(j).stableNorm();
  std::vector<int> order(k);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) { return lengths[i] > lengths[j]; });
  Matrix sorted(k, k);
  U = qr.householderQ() * Matrix::Identity(A.rows(), A.rows());
  Matrix turned(A.rows(), k);
  const Matrix left = U.leftCols(k) * J;
  for (int j = 0; j < k; ++j) {
    sigma[j] = lengths[order[j]];
    sorted.col(j) = G.col(order[j]);
    turned.col(j) = left.col(order[j]);
  }
  U.leftCols(k) = turned;
  V = qr.colsPermutation() * unit_columns(sorted, sigma);
}

}  // namespace

SingularValues::SingularValues(const Matrix& A) : sigma(Vector::Zero(A.cols())) {
  const double unit = A.size() > 0 ? largest(A) : 0.0;
  if (unit == 0.0) {
    U = Matrix::Identity(A.rows(), A.rows());
    V = Matrix::Identity(A.cols(), A.cols());
  } else if (A.rows() >= A.cols()) {
    decompose_tall(A / unit, U, V, sigma);
  } else {
    Vector some(A.rows());
    decompose_tall(A.transpose() / unit, V, U, some);
    sigma.head(A.rows()) = some;
  }
  sigma *= unit;
}

int SingularValues::above(double bound) const {
  int r = 0;
  while (r < sigma.size() && sigma[r] > bound) ++r;
  return r;
}

Vector SingularValues::correction(int r, const Vector& f) const {
  return V.leftCols(r) * (U.leftCols(r).transpose() * f).cwiseQuotient(sigma.head(r));
}

}  // namespace maggi
