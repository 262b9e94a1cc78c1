#include "support/random_equations.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/decompositions.hpp"

namespace maggi::test {

Matrix random_orthogonal(int n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Matrix(Matrix::NullaryExpr(n, n, [&] { return normal(random); }).householderQr().householderQ());
}

Vector graded(int n, double condition) {
  return Vector::NullaryExpr(n,
                             [=](Eigen::Index i) { return n == 1 ? 1.0 : std::pow(condition, -double(i) / (n - 1)); });
}

Equations random_equations(const Kind& kind, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto gauss = [&] { return normal(random); };
  Equations e;
  const Matrix U = random_orthogonal(kind.n, random);
  e.M = U * graded(kind.n, kind.condition_M).asDiagonal() * U.transpose();
  e.M = (0.5 * (e.M + e.M.transpose())).eval();
  e.h = Vector::NullaryExpr(kind.n, gauss);
  const int r = kind.rank;
  Matrix C = Matrix::Zero(r + kind.redundant, kind.n), Q = Matrix::Identity(kind.n, kind.n);
  Vector gamma = Vector::Zero(r + kind.redundant);
  if (r > 0) {
    const Matrix P = random_orthogonal(r, random);
    Q = random_orthogonal(kind.n, random);
    C.topRows(r) = P * graded(r, kind.condition_C).asDiagonal() * Q.topRows(r);
    gamma.head(r) = C.topRows(r) * Vector::NullaryExpr(kind.n, gauss);
    const Matrix A = Matrix::NullaryExpr(kind.redundant, r, gauss);
    C.bottomRows(kind.redundant) = A * C.topRows(r);
    gamma.tail(kind.redundant) = A * gamma.head(r);
  }
  std::vector<int> order(r + kind.redundant);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::shuffle(order.begin(), order.end(), random);
  std::uniform_real_distribution<double> exponent(-1.0, 1.0);
  e.C.resize(C.rows(), C.cols());
  e.gamma.resize(C.rows());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double s = std::pow(kind.scale_spread, exponent(random));
    e.C.row(i) = s * C.row(order[i]);
    e.gamma[i] = s * gamma[order[i]];
  }
  std::mt19937 another = random;  // J takes no numbers away from what follows
  const int n_x = std::min(r + 1, kind.n);
  e.J = random_orthogonal(n_x, another) * Q.topRows(n_x);
  return e;
}

}  // namespace maggi::test
