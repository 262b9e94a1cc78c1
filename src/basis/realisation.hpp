#pragma once
#include <optional>
#include <vector>

#include "base/decompositions.hpp"
#include "basis/metric_factor.hpp"

namespace maggi {

/// How controls can keep constraints that have no reaction of their own:
///
///     M v̇ = h + C₁ᵀλ + B p,   C₁ v̇ = γ₁,   C₂ v̇ = γ₂                                                        (1)
///     S = C₂ (M⁻¹ − M⁻¹C₁ᵀ(C₁M⁻¹C₁ᵀ)⁻¹C₁M⁻¹) B,   S p = γ₂ − C₂ v̇₁,   v̇₁: under the constraints C₁ alone      (2)
///
/// S is what a unit of each control does to each servo row. In the mass metric, M = L Lᵀ and L⁻¹C₁ᵀ = Q R, it is
/// (L⁻¹C₂ᵀ)ᵀ(1 − Q Qᵀ) L⁻¹B; the rows L⁻¹C₂ᵀ and the columns L⁻¹B have unit length, so that its rank has no units.
/// Combinations U₀ᵀC₂ with U₀ᵀS = 0 are reached by no control. [Dinh2002 (2.46); AltmannHeiland2017]
class Realisation {
 public:
  static constexpr double tolerance = 1e-9;  ///< cosine between a control and a servo row that counts as zero

  Realisation() = default;
  Realisation(const Matrix& M, const Matrix& C1, const Matrix& C2, const Matrix& B) { compute(M, C1, C2, B); }

  /// Dependent rows in C1 are left out. M singular, but positive definite on null(C1), is allowed. Asks for no memory
  /// unless a size has changed.
  void compute(const Matrix& M, const Matrix& C1, const Matrix& C2, const Matrix& B);

  int rank() const { return static_cast<int>(served_.size()); }         ///< of S
  const std::vector<int>& independent() const { return independent_; }  ///< rows of C1
  const std::vector<int>& served() const { return served_; }            ///< rows of C2 with S of full rank
  Matrix unreached() const;                                             ///< U₀, rows of C2 × (rows − rank)
  std::vector<int> unreached_rows() const;                              ///< those that occur in U₀
  Matrix without_effect() const;                                        ///< combinations of controls: B p ∥ C₁ᵀ
  /// Sᵀ, controls × rows of C2: p = Sᵀ y is the p of least norm of all with the same S p.
  void effects(Matrix& St) const { St = force_length_.asDiagonal() * St_ * row_length_.asDiagonal(); }

 private:
  std::vector<int> independent_, served_;
  std::optional<MetricFactor> factor_;          // of C1
  Matrix rows_, forces_, St_;                   // C₂ᵀ and B in the metric, of unit length; Sᵀ
  Vector row_length_, force_length_;            // what they were divided by
  Eigen::ColPivHouseholderQR<Matrix> reached_;  // of Sᵀ
};

}  // namespace maggi
