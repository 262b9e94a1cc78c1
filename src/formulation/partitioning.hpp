#pragma once
#include "basis/lu.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// Only the independent accelerations are solved for. [PennestriValentini2007 (35)-(47)]
///
///     X = C_d⁻¹ C_i,  y = C_d⁻¹ γ
///     M̂ = M_ii − M_id X − Xᵀ(M_di − M_dd X),   Q̂ = h_i − M_id y − Xᵀ(h_d − M_dd y)
///     M̂ v̇_i = Q̂,   v̇_d = y − X v̇_i,   λ = C_d⁻ᵀ(M_dd v̇_d + M_di v̇_i − h_d)
///
/// The partition is kept until it becomes ill-conditioned; see LuBasis.
class Partitioning final : public Formulation {
 public:
  Partitioning(int n, int max_rows);
  std::string_view name() const override { return "partitioning"; }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  LuBasis partition_;
};

}  // namespace maggi
