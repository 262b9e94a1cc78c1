#pragma once
#include <Eigen/LU>

#include "maggi/formulation/formulation.hpp"

namespace maggi {

/// The principle of compatibility: accelerations and all n reactions at once. [Dinh1994 (2.8), Dinh2002 (2.1)-(2.12),
/// corrected: the right side of the constraints is γ]
///
///     [ M  −1 ] [ v̇ ]   [ h ]
///     [ C   0 ] [ r ] = [ γ ]        2n × 2n
///     [ 0  Dᵀ ]         [ 0 ]
///
/// Costs 16/3 n³; for clarity, for constraints that are not ideal, and as an oracle. λ from Cᵀλ = r.
class Compatibility final : public Formulation {
 public:
  Compatibility(int n, std::unique_ptr<Basis> basis);
  std::string_view name() const override { return "compatibility"; }
  const Basis* basis() const override { return basis_.get(); }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  std::unique_ptr<Basis> basis_;
  Matrix K_;
  Vector right_, x_, r_;
  Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace maggi
