#pragma once

#include "base/decompositions.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// The least correction of the free acceleration. [PennestriValentini2007, last formulas]
///
///     a = M⁻¹h,   v̇ = a + L⁻ᵀ (C L⁻ᵀ)⁺ (γ − C a),   λ = (C M⁻¹ Cᵀ)⁺ (γ − C a) = (L⁻¹Cᵀ)⁺ (L⁻¹)(M v̇ − h)
///
/// Any factor M = L Lᵀ serves; Cholesky instead of the symmetric root. If M is singular [UdwadiaPhohomsiri2006]:
///
///     v̇ = [(1 − C⁺C) M; C]⁺ [(1 − C⁺C) h; γ],   unique if [M; C] has full column rank
class UdwadiaKalaba final : public Formulation {
 public:
  UdwadiaKalaba(int n, int max_rows);
  std::string_view name() const override { return "udwadia-kalaba"; }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  bool solve_singular_mass(const Equations& equations, Vector& vdot, Vector& lambda);

  Matrix L_, B_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> pseudo_;
};

}  // namespace maggi
