#pragma once
#include "basis/lu.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// Block factorisation of the augmented matrix by the null space of C. [PennestriValentini2007, unnumbered, corrected:
/// the middle factor has R₂ L̃⁻ᵀ]
///
///     coordinates in the order d, i:   C = [C_d C_i],  X = C_d⁻¹ C_i,  y = C_d⁻¹ γ
///     M̃₁₂ = M_di − M_dd X,   M̃₂₂ = M_ii − M_id X − Xᵀ M̃₁₂ = DᵀMD = L̃ L̃ᵀ
///     z₁ = h_d − M_dd y,  z₂ = h_i − M_id y − Xᵀ z₁,   M̃₂₂ p = z₂
///     v̇ = [y − X p; p],   λ = C_d⁻ᵀ (M̃₁₂ p − z₁)
///
/// Cheapest when rows are many (m > n/2). M may be singular if DᵀMD > 0.
class NullSpace final : public Formulation {
 public:
  NullSpace(int n, int max_rows);
  std::string_view name() const override { return "null-space"; }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  LuBasis partition_;
};

}  // namespace maggi
