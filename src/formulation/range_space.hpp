#pragma once
#include "base/pivoted_qr.hpp"
#include "formulation/scaled_lu.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// The range space of the constraints in the mass metric. [PennestriValentini2007 (5)-(10), corrected]
///
///     M = L Lᵀ,  H = L⁻¹Cᵀ = Q R,   λ = R⁻¹(R⁻ᵀγ − Qᵀ L⁻¹h),   v̇ = L⁻ᵀ(L⁻¹h + H λ)
///
/// The paper factors HᵀH; QR of H itself gives the same R without squaring its condition. Cheapest when rows are few
/// (m < n/2). M must be positive definite. Constraints that act along G: C M⁻¹G λ = γ − C M⁻¹h.
class RangeSpace final : public Formulation {
 public:
  RangeSpace(int n, int max_rows);
  std::string_view name() const override { return "range-space"; }
  bool solves_nonideal() const override { return true; }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  bool solve_nonideal(const Equations& equations, Vector& vdot, Vector& lambda);

  Matrix L_, H_;
  Vector y_, x_;
  PivotedQr qr_;
  Matrix grip_, S_;  // L⁻¹G, C M⁻¹G
  ScaledLu lu_;
};

}  // namespace maggi
