#pragma once
#include "maggi/expert/linear.hpp"

namespace maggi {

/// A = U diag(σ) Vᵀ with all columns of U and V; σ has as many entries as A has columns, missing ones are 0.
/// One-sided Jacobi rotations of R after A Π = Q R (Drmač and Veselić): small singular values keep their relative
/// accuracy as far as A determines them.
struct SingularValues {
  Matrix U, V;
  Vector sigma;  ///< decreasing

  explicit SingularValues(const Matrix& A);
  double of_rank(int r) const { return r > 0 ? sigma[r - 1] : 1.0; }  ///< σ_r
  int above(double bound) const;                                      ///< how many
  /// The displacement V₁ σ₁⁻¹ U₁ᵀ f of the first r.
  Vector correction(int r, const Vector& f) const;
};

}  // namespace maggi
