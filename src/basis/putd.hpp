#pragma once
#include "basis/unit_rows.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// Pseudo-upper-triangular decomposition: Householder reflections in the order of the rows. [PennestriValentini2007
/// (30)-(31)]
///
///     Aᵀ = H₁ H₂ ... H_r [pseudo-triangle; 0],   D = the last k columns of H₁ ... H_r   (orthonormal)
///
/// A row that leaves nothing outside the span of those before it is dependent and takes no reflection. The order of the
/// constraints is kept; the rank is less reliable than with pivoting.
class PutdBasis final : public Basis {
 public:
  PutdBasis(int n, int max_rows);
  std::string_view name() const override { return "putd"; }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;
  void multipliers(const Vector& r, Vector& lambda) const override;

 private:
  template <class V>
  void reflect(int k, V&& x) const;  ///< x ← H_k x

  UnitRows rows_;
  Matrix T_;           // columns: Aᵀ after the reflections
  Matrix reflectors_;  // column k: v of H_k = I − β v vᵀ
  Vector beta_;
  std::vector<int> independent_;  // rows, in order
};

}  // namespace maggi
