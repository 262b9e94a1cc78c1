#include "formulation/udwadia_kalaba.hpp"

#include "base/cholesky.hpp"
#include "base/largest.hpp"
#include "basis/metric_factor.hpp"

namespace maggi {

UdwadiaKalaba::UdwadiaKalaba(int n, int max_rows) : L_(n, n), B_(max_rows, n) {
  pseudo_.setThreshold(MetricFactor::default_tolerance);
}

namespace {

/// Are the rows met, but for rounding of their terms? Those that the pseudo-inverse takes for dependent need not be.
/// The accelerations without constraints, vdot − correction, may be much larger than those with them.
bool all_met(const Equations& equations, const Vector& scale, const Vector& vdot, const Vector& correction) {
  constexpr double rounding = 1e-6;
  const Vector left = scale.cwiseProduct(equations.C * vdot - equations.gamma);
  const Vector terms = scale.cwiseProduct(equations.C.cwiseAbs() * (vdot.cwiseAbs() + correction.cwiseAbs()) +
                                          equations.gamma.cwiseAbs());
  return within(largest(left), rounding * largest(terms));
}

}  // namespace

bool UdwadiaKalaba::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  if (!C.allFinite() || !M.allFinite()) return refuse(not_finite);
  L_ = M;
  if (!cholesky(L_)) return solve_singular_mass(equations, vdot, lambda);
  Vector a = h;
  solve_lower(L_, a);
  solve_lower_transposed(L_, a);
  vdot = a;
  if (C.rows() == 0) return true;

  // B = S C L⁻ᵀ with rows of unit length; S drops out of the pseudo-inverse of compatible equations
  B_.resize(C.rows(), C.cols());
  Vector scale(C.rows());
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    Vector row = C.row(i).transpose();
    solve_lower(L_, row);
    const double norm = row.norm();
    scale[i] = norm > 0.0 ? 1.0 / norm : 1.0;
    B_.row(i) = scale[i] * row.transpose();
  }
  pseudo_.compute(B_);
  Vector correction = pseudo_.solve(scale.cwiseProduct(gamma - C * a));
  // λ = S (Bᵀ)⁺ (L⁻¹ r), and L⁻¹ r = Lᵀ(v̇ − a) is the correction before L⁻ᵀ is applied
  pseudo_.compute(B_.transpose());
  lambda = scale.cwiseProduct(pseudo_.solve(correction));
  solve_lower_transposed(L_, correction);
  vdot += correction;
  return all_met(equations, scale, vdot, correction) ||
         refuse("in the metric of M the constraints are nearly dependent, as masses are of very different sizes");
}

bool UdwadiaKalaba::solve_singular_mass(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  const Eigen::Index n = C.cols(), m = C.rows();
  if (m == 0) return refuse(weightless);
  pseudo_.compute(C);
  const Matrix projector = Matrix::Identity(n, n) - pseudo_.pseudoInverse() * C;
  Matrix both(n + m, n);
  both << projector * M, C;
  Vector right(n + m);
  right << projector * h, gamma;
  pseudo_.compute(both);
  if (pseudo_.rank() < n) return refuse(weightless);
  vdot = pseudo_.solve(right);
  pseudo_.compute(C.transpose());
  lambda = pseudo_.solve(M * vdot - h);
  return true;
}

}  // namespace maggi
