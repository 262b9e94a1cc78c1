#pragma once
#include "basis/unit_rows.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// Huang's method of the ABS class, modified: projections applied twice. [Dinh1994, sec. 3]
///
///     H ← I;  for each row c:  p = H(H c),  H ← H − p pᵀ/pᵀp          then H = I − C⁺C
///     for each column:  d = H(H x₀)/‖·‖,  H ← H − d dᵀ,  D = [d ...]   (orthonormal)
///
/// The start x₀ must not be trivial: the column of the last D where it is still good (so D follows the motion), else
/// the unit vector e_j with the largest H_jj, which is never short: H_jj ≥ (columns left)/n.
class HuangBasis final : public Basis {
 public:
  HuangBasis(int n, int max_rows);
  std::string_view name() const override { return "huang"; }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;  ///< x ← x − (cᵀx − γ) p/(cᵀp) along the rows: C⁺γ
  void multipliers(const Vector& r, Vector& lambda) const override;

 private:
  UnitRows rows_;
  Matrix H_, P_;     // projector; directions p of the independent rows
  Matrix previous_;  // D of the last call
  int previous_columns_ = 0;
  std::vector<int> independent_;
  mutable Vector work_;
};

}  // namespace maggi
