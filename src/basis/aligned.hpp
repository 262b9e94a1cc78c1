#pragma once
#include "maggi/expert/basis.hpp"
#include "maggi/run_options.hpp"

namespace maggi {

/// A basis whose columns turn freely, turned to follow a reference D₀. For a fixed reference D is a smooth function of
/// the state; at the reference Ḋ is the natural connection D̃, elsewhere it differs by a turn inside the null space.
///
///     procrustes:   K = D₀,       D = D_raw U Vᵀ with D_rawᵀK = U Σ Vᵀ, so that S = KᵀD = V Σ Vᵀ is symmetric      (1)
///                   D̃ = −C⁺ Ċ D,  Ḋ = D̃ + D Ω,  S Ω + Ω S = (KᵀD̃)ᵀ − KᵀD̃                                      (2)
///     mass metric:  K = M₀D₀,     DᵀM D = 1, then the same with  D̃ = −M⁻¹CᵀMc⁻¹ Ċ D − ½ D (DᵀṀ D)                 (3)
///     warm start:   D R = P K,    P = 1 − C⁺C, R upper triangular (4)
///                   B = D̃ᵀK R⁻¹,  Ḋ = D̃ + D (B − U),  U = upper(B + Bᵀ) + diag B = ṘR⁻¹                           (5)
///
/// The reference is taken again when the null space has turned away from it: smallest σ below `least_cosine`.
class AlignedBasis : public Basis {
 public:
  /// `kind`: any but frozen.
  AlignedBasis(std::unique_ptr<Basis> raw, Continuity kind, int n);
  std::string_view name() const override { return raw_->name(); }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;
  void multipliers(const Vector& r, Vector& lambda) const override { raw_->multipliers(r, lambda); }
  bool rate(const Rates& rates, Matrix& Ddot) const override;
  void tangent(const Vector& v, Vector& u) const override;
  bool tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const override;

 private:
  static constexpr double least_cosine = 0.3;

  bool orthonormalise(const Equations& equations);  ///< columns that are not yet turned
  bool fits() const { return K_.rows() == start_.rows() && K_.cols() == start_.cols(); }
  bool align();                                 ///< D; false if the null space is too far from the reference
  Matrix connection(const Rates& rates) const;  ///< D̃
  /// KᵀD̃ ↦ Ω of (2).
  Matrix turning(const Matrix& A) const;

  std::unique_ptr<Basis> raw_;
  Continuity kind_;
  Matrix M_, start_;  // metric; orthonormal columns, not yet turned
  Matrix K_, R_;      // reference; (4)
  Matrix V_;          // (1)
  Vector sigma_;
};

}  // namespace maggi
