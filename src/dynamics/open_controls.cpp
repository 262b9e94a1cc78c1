#include "dynamics/open_controls.hpp"

#include "base/decompositions.hpp"
#include "dynamics/servo_rows.hpp"

namespace maggi {

namespace {

constexpr double negligible = 1e-9;  // of the parts of a sum: what the solve leaves of a zero

/// A x, where sums that cancel are 0.
Vector product(const Matrix& A, const Vector& x) {
  const Vector parts = A.cwiseAbs() * x.cwiseAbs();
  Vector sum = A * x;
  for (Eigen::Index i = 0; i < sum.size(); ++i)
    if (!(std::abs(sum[i]) > negligible * parts[i])) sum[i] = 0.0;
  return sum;
}

/// Rows to unit length, so that the rank does not depend on units.
void normalise_rows(Matrix& A) {
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (const double norm = A.row(i).norm(); norm > 0.0) A.row(i) /= norm;
}

}  // namespace

Matrix open_controls(Dynamics& dynamics, const Instant& at) {
  const Shape& shape = dynamics.shape();
  const auto n = static_cast<Eigen::Index>(shape.n()), m = static_cast<Eigen::Index>(shape.m()),
             controls = static_cast<Eigen::Index>(shape.controls.size());
  if (dynamics.free_controls() == 0) return Matrix(m + controls, 0);
  const std::vector<int> reacting = rows_of_kind(shape, dynamics.rows().rows(), false),
                         kept = rows_of_kind(shape, dynamics.rows().rows(), true);
  Workspace& w = dynamics.workspace();
  dynamics.system().acceleration(at, w);
  Matrix M(n, n), C(m, n), B(n, controls);
  shape.M.scatter(w.terms.M, M);
  shape.C.scatter(w.terms.C, C);
  shape.B.scatter(w.terms.B, B);

  // what a unit of each control does: [M −C₁ᵀ; C₁ 0] [v̇; λ] = [B; 0]
  const Matrix C1 = C(reacting, Eigen::all);
  const Eigen::Index r = C1.rows();
  Matrix K = Matrix::Zero(n + r, n + r), right = Matrix::Zero(n + r, controls);
  K << M, -C1.transpose(), C1, Matrix::Zero(r, r);
  right.topRows(n) = B;
  const Matrix effect = Eigen::PartialPivLU<Matrix>(K).solve(right);

  Matrix S = C(kept, Eigen::all) * effect.topRows(n);
  normalise_rows(S);
  Eigen::FullPivLU<Matrix> lu(S);
  lu.setThreshold(negligible);
  const Matrix free = kept.empty() ? Matrix::Identity(controls, controls) : Matrix(lu.kernel());
  Matrix open = Matrix::Zero(m + controls, free.cols());
  for (Eigen::Index j = 0; j < free.cols(); ++j) {
    open.col(j).tail(controls) = product(Matrix::Identity(controls, controls), free.col(j));
    const Vector lambda = product(effect.bottomRows(r), free.col(j));
    for (Eigen::Index i = 0; i < r; ++i) open(reacting[static_cast<std::size_t>(i)], j) = lambda[i];
  }
  return open;
}

}  // namespace maggi
