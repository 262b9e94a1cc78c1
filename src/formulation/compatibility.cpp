#include "formulation/compatibility.hpp"
#include "maggi/expert/bases.hpp"

namespace maggi {

namespace {
constexpr std::string_view other_directions =
    "it does not apply to the directions in which the forces of laws or controls act";
}  // namespace

Compatibility::Compatibility(int n, std::unique_ptr<Basis> basis)
    : basis_(std::move(basis)), K_(2 * n, 2 * n), x_(2 * n), r_(n), lu_(2 * n) {}

bool Compatibility::solve(const Equations& equations, Vector& vdot, Vector& lambda) {
  const auto& [M, h, C, gamma, J, v, rate, G] = equations;
  const Eigen::Index n = M.rows(), m = C.rows();
  if (!C.allFinite() || !G.allFinite()) return refuse(not_finite);
  if (!basis_->compute(equations)) return refuse(basis_->why());
  if (basis_->rank() < m) return refuse(dependent_rows);
  if (!equations.ideal()) {
    if (!acting_) acting_ = make_basis(basis_->name(), static_cast<int>(n), static_cast<int>(n));
    forces_.M = M;
    forces_.C = G.transpose();
    forces_.J = J;
    if (!acting_->compute(forces_)) return refuse(other_directions);
    if (acting_->rank() < m) return refuse(no_grip);
  }
  Basis& forces = equations.ideal() ? *basis_ : *acting_;
  K_.setZero();
  K_.topLeftCorner(n, n) = M;
  K_.topRightCorner(n, n).diagonal().setConstant(-1.0);
  K_.block(n, 0, m, n) = C;
  K_.bottomRightCorner(n - m, n) = forces.D().transpose();
  x_ << h, gamma, Vector::Zero(n - m);
  if (!lu_.compute(K_)) return refuse(equations.ideal() ? weightless : no_grip);
  lu_.solve(x_);
  vdot = x_.head(n);
  r_ = x_.tail(n);
  forces.multipliers(r_, lambda);
  return true;
}

}  // namespace maggi
