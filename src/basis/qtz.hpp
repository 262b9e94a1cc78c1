#pragma once

#include "base/decompositions.hpp"
#include "basis/unit_rows.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// Complete orthogonal decomposition: null space, pseudo-inverse and rank at once. [VitaPennestri2004, named in
/// PennestriValentini2007]
///
///     A Π = Q [T 0; 0 0] Z,   D = Π Zᵀ(:, r...)   (orthonormal)
class QtzBasis final : public Basis {
 public:
  QtzBasis(int n, int max_rows);
  std::string_view name() const override { return "qtz"; }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;   ///< Π Zᵀ T⁻¹ Qᵀ S γ
  void multipliers(const Vector& r, Vector& lambda) const override;  ///< S Q T⁻ᵀ Z Πᵀ r

 private:
  UnitRows rows_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod_;
};

}  // namespace maggi
