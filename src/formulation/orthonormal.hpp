#pragma once
#include "basis/gram_schmidt.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// The equations resolved in an orthonormalised configuration space: nothing is left to solve. [Blajer1993 (4.3),(4.4)]
///
///     WᵀMW = 1,  Cᵀ = M W_c R:   v̇ = W_d(W_dᵀh) + W_c(R⁻ᵀγ),   λ_w = R⁻ᵀγ − W_cᵀh,   λ = R⁻¹λ_w
///
/// Also rheonomic. M must be positive definite.
class Orthonormal final : public Formulation {
 public:
  Orthonormal(int n, int max_rows);
  std::string_view name() const override { return "orthonormal"; }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  MassGramSchmidtBasis basis_;
};

}  // namespace maggi
