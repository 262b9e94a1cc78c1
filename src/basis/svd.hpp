#pragma once

#include "base/decompositions.hpp"
#include "basis/unit_rows.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// Singular values: the arbiter of rank. [PennestriValentini2007 (28)-(29)]
///
///     S C = U Σ Vᵀ,   D = the columns of V that belong to σ = 0   (orthonormal)
///
/// Columns turn freely inside the null space from call to call. Cost about 4 n²m + 8 n m² + 9 m³.
class SvdBasis final : public Basis {
 public:
  SvdBasis(int n, int max_rows);
  std::string_view name() const override { return "svd"; }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;   ///< C⁺γ = V Σ⁻¹ Uᵀ S γ
  void multipliers(const Vector& r, Vector& lambda) const override;  ///< S U Σ⁻¹ Vᵀ r

 private:
  UnitRows rows_;
  Eigen::JacobiSVD<Matrix> svd_;
};

}  // namespace maggi
