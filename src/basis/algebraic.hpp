#pragma once

#include "base/decompositions.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// Rows E are added to C such that u = E v. [PennestriValentini2007 (16)-(19)]
///
///     [C; E] D = [0; 1],   Ḋ = −[C; E]⁻¹ [Ċ D; 0],   d₀ = [C; E]⁻¹ [γ; 0]
///
/// E is frozen: the orthonormal null space of C where it was chosen. It is chosen again when a column of D is longer
/// than `growth`: the admissible motions have then turned that far away from E.
class AlgebraicBasis final : public Basis {
 public:
  AlgebraicBasis(int n, int max_rows);
  std::string_view name() const override { return "algebraic"; }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;
  void multipliers(const Vector& r,
                   Vector& lambda) const override;  ///< the first part of [C; E]⁻ᵀ r; the rest vanishes
  bool rate(const Rates& rates, Matrix& Ddot) const override;
  void tangent(const Vector& v, Vector& u) const override;  ///< E v
  bool tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const override;
  std::string closed_form(DerivedEquations& equations, std::vector<expression::Id>& D) const override;

  const Matrix& E() const { return E_; }

 private:
  static constexpr double growth = 10.0;

  void select(const Matrix& C);
  bool solve(const Matrix& C);

  std::vector<int> rows_;
  Matrix E_, G_;  // k × n; [C; E]
  Eigen::PartialPivLU<Matrix> lu_;
  Eigen::Index last_rows_ = -1;
};

}  // namespace maggi
