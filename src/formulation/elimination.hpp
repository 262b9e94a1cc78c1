#pragma once

#include "base/decompositions.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// The accelerations are eliminated first. [BlajerBestleSchiehlen1994 (35),(38), Blajer1993 (4.8)]
///
///     (C M⁻¹ Cᵀ) λ = γ − C M⁻¹h,   M v̇ = h + Cᵀλ
///
/// As printed: the matrix C M⁻¹ Cᵀ has the squared condition of C; range-space is the same without that.
class Elimination final : public Formulation {
 public:
  Elimination(int n, int max_rows);
  std::string_view name() const override { return "elimination"; }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  Matrix L_, H_, S_;
  Vector scale_;
  Eigen::LLT<Matrix> factor_;
};

}  // namespace maggi
