#pragma once
#include "formulation/scaled_lu.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// The principle of compatibility: accelerations and all n reactions at once. [Dinh1994 (2.8), Dinh2002 (2.1)-(2.12),
/// corrected: the right side of the constraints is γ]
///
///     [ M  −1 ] [ v̇ ]   [ h ]
///     [ C   0 ] [ r ] = [ γ ]        2n × 2n
///     [ 0  Dᵀ ]         [ 0 ]
///
/// The last n − m rows are the conditions on the reactions, here of ideal constraints. Constraints that act along G
/// have others, Eᵀr = 0 with E = null(Gᵀ) by the same basis: this is how constraints with laws and those kept by
/// controls are solved by default. Costs 16/3 n³. λ from Cᵀλ = r (G λ = r).
class Compatibility final : public Formulation {
 public:
  Compatibility(int n, std::unique_ptr<Basis> basis);
  std::string_view name() const override { return "compatibility"; }
  const Basis* basis() const override { return basis_.get(); }
  bool solves_nonideal() const override { return true; }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  std::unique_ptr<Basis> basis_;
  std::unique_ptr<Basis> acting_;  // of Gᵀ, of the same kind; none yet if all forces were ideal
  Equations forces_;               // with Gᵀ in the place of C
  Matrix K_;
  Vector x_, r_;
  ScaledLu lu_;
};

}  // namespace maggi
