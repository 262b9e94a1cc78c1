#pragma once
#include "formulation/maggi.hpp"

namespace maggi {

/// Maggi's equations as they are usually written, with the rate of the basis. [Blajer1993 (2.10)-(2.12),
/// PennestriValentini2007 (15)]
///
///     v = D u + d_v,   (DᵀMD) u̇ = Dᵀ(h − M d₀),   v̇ = D u̇ + d₀,   d₀ = Ḋ u + ḋ_v                                (1)
///
/// Since C v̇ = γ and C D = 0, ḋ_v is needed only up to a tangent part:  C ḋ_v = γ − C Ḋ u, which vanishes unless time
/// or a constant stands in a constraint. A basis that is not smooth by itself is aligned, see make_smooth_basis().
class MaggiRates final : public Maggi {
 public:
  MaggiRates(int n, std::unique_ptr<Basis> basis) : Maggi(n, std::move(basis)) {}
  std::string_view name() const override { return "maggi-rates"; }
  bool needs_rates() const override { return true; }

 protected:
  bool find_d0(const Equations& equations, Vector& d0) override;

 private:
  Matrix Ddot_;
  Vector u_;
};

}  // namespace maggi
