#pragma once
#include "basis/unit_rows.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// What the bases from H = Aᵀ A, A = S C, have in common: an orthonormal V and the diagonal Λ with H = V Λ Vᵀ. D is
/// made of the columns for which λ vanishes.
///
/// H squares the singular values: those below 3e-8 of the largest are lost, and already at 1e-6 |C D| is 1e-11.
class GramMatrixBasis : public Basis {
 public:
  bool compute(const Equations& equations) final;
  void particular(const Vector& gamma, Vector& d0) const final;   ///< V Λ⁺ Vᵀ Aᵀ S γ
  void multipliers(const Vector& r, Vector& lambda) const final;  ///< S A V Λ⁺ Vᵀ r

 protected:
  GramMatrixBasis(int n, int max_rows);
  /// H = V Λ Vᵀ in any order.
  virtual void decompose(const Matrix& H, Matrix& V, Vector& values) = 0;

 private:
  void apply_pseudo_inverse(Vector& x) const;  ///< x ← V Λ⁺ Vᵀ x

  UnitRows rows_;
  Matrix H_, V_;
  Vector values_;
  double smallest_ = 0.0;  // eigenvalues up to this are zero
};

}  // namespace maggi
