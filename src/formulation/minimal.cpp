#include "formulation/minimal.hpp"

namespace maggi {

Minimal::Minimal(int n, std::unique_ptr<Basis> basis) : basis_(std::move(basis)), K_(n, n), right_(n), r_(n), lu_(n) {}

bool Minimal::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  if (!C.allFinite()) return refuse(not_finite);
  if (!basis_->compute(equations)) return refuse(basis_->why());
  if (basis_->rank() < C.rows()) return refuse(dependent_rows);
  const auto D = basis_->D();
  K_ << D.transpose() * M, C;
  right_ << D.transpose() * h, gamma;
  lu_.compute(K_);
  vdot = lu_.solve(right_);
  if (!vdot.allFinite()) return refuse(weightless);
  r_.noalias() = M * vdot - h;
  basis_->multipliers(r_, lambda);
  return true;
}

}  // namespace maggi
