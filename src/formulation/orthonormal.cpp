#include "formulation/orthonormal.hpp"

namespace maggi {

Orthonormal::Orthonormal(int n, int max_rows) : basis_(n, max_rows) {}

bool Orthonormal::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  if (!C.allFinite()) return refuse(not_finite);
  if (!basis_.compute(equations)) return refuse(singular_mass);
  if (basis_.rank() < C.rows()) return refuse(dependent_rows);
  const auto Wc = basis_.Wc();
  const auto Wd = basis_.D();
  Vector beta = gamma;  // R⁻ᵀγ; the rows of the basis are all rows, in order
  basis_.Rc().transpose().triangularView<Eigen::Lower>().solveInPlace(beta);
  vdot.noalias() = Wd * (Wd.transpose() * h) + Wc * beta;
  lambda.noalias() = beta - Wc.transpose() * h;
  basis_.Rc().triangularView<Eigen::Upper>().solveInPlace(lambda);
  return true;
}

}  // namespace maggi
