#include "formulation/maggi.hpp"

#include "base/cholesky.hpp"

namespace maggi {

Maggi::Maggi(int n, std::unique_ptr<Basis> basis)
    : basis_(std::move(basis)), MD_(n, n), projected_(n, n), d0_(n), y_(n), rest_(n) {}

bool Maggi::find_d0(const Equations& equations, Vector& d0) {
  basis_->particular(equations.gamma, d0);
  return true;
}

bool Maggi::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  if (!C.allFinite()) return refuse(not_finite);
  if (!basis_->compute(equations)) return refuse(basis_->why());
  if (basis_->rank() < C.rows()) return refuse(dependent_rows);
  const auto D = basis_->D();
  const Eigen::Index k = D.cols();

  // every admissible acceleration is v̇ = D y + d₀, with C d₀ = γ            (1)
  if (!find_d0(equations, d0_)) return false;

  // project the balance on D: λ drops out because (C D)ᵀ = 0                 (2)
  auto MD = MD_.leftCols(k);
  auto DtMD = projected_.topLeftCorner(k, k);
  MD.noalias() = M.lazyProduct(D);
  DtMD.noalias() = D.transpose().lazyProduct(MD);
  rest_ = h;
  rest_.noalias() -= M.lazyProduct(d0_);
  auto y = y_.head(k);
  y.noalias() = D.transpose().lazyProduct(rest_);
  if (!cholesky(DtMD)) return refuse(weightless);
  solve_lower(DtMD, y);
  solve_lower_transposed(DtMD, y);
  vdot = d0_;
  vdot.noalias() += D.lazyProduct(y);

  // what the balance leaves over is the reaction: Cᵀλ = M v̇ − h              (3)
  rest_ = -h;
  rest_.noalias() += M.lazyProduct(vdot);
  basis_->multipliers(rest_, lambda);
  return true;
}

}  // namespace maggi
