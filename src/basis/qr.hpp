#pragma once
#include <optional>

#include "base/pivoted_qr.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// Householder QR with pivoting of the transposed rows, each scaled to unit length. [PennestriValentini2007 (24)-(27)]
///
///     Cᵀ S Π = [Q₁ Q₂] [R₁₁ R₁₂; 0 0],   D = Q₂   (orthonormal)
class QrBasis final : public Basis {
 public:
  QrBasis(int n, int max_rows);
  std::string_view name() const override { return "qr"; }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;  ///< d₀ = C⁺γ = Q₁ R₁₁⁻ᵀ S γ
  void multipliers(const Vector& r, Vector& lambda) const override;  ///< λ = S R₁₁⁻¹ Q₁ᵀ r, then of least norm

 private:
  void remove_null_part(Vector& lambda) const;

  Matrix rows_;  // Cᵀ S
  Vector scale_;
  mutable Vector work_;
  PivotedQr qr_;
  // of redundant rows: memory for λ without effect, once it is needed
  mutable std::optional<PivotedQr> null_;
  mutable Matrix Z_;
  mutable Vector x_, padded_;
};

}  // namespace maggi
