#pragma once
#include "basis/gram_schmidt.hpp"
#include "basis/lu.hpp"
#include "maggi/basis/basis.hpp"

namespace maggi {

/// The complement in the local coordinates x = g(q) of the constrained points, brought to the configuration space.
/// [BlajerBestleSchiehlen1994]
///
///     C = Ĉ J,   ẋ = J v,   Ĉ D̂ = 0                  constraints and their complement, small and local
///     J P = 1,   J Y = 0,   [P Y] = [J; G]⁻¹           G picks n − n_x coordinates y
///     D = [P D̂  Y],   u = [D̂ᵀJ v; v_y]                speeds of the points along the constraints; speeds of y
///     d₀ = P Ĉ⁺γ,     Cᵀλ = r  ⇒  Ĉᵀλ = Pᵀr           and Yᵀr = 0
///
/// P and Y are the partition of J that the basis `lu` would make of a constraint matrix, kept as long as it would be
/// kept there; D̂ is orthonormal, by Gram-Schmidt: unit vectors of different points do not see each other, so it falls
/// apart into the blocks of the points by itself. Ĉ = C P is right only if C Y = 0: every constraint must be a function
/// of the local coordinates.
class LocalBasis final : public Basis {
 public:
  LocalBasis(int n, int max_rows);
  std::string_view name() const override { return "local"; }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;
  void multipliers(const Vector& r, Vector& lambda) const override;
  bool rate(const Rates& rates, Matrix& Ddot) const override;
  void tangent(const Vector& v, Vector& u) const override;
  bool tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const override;

  std::string closed_form(DerivedEquations& equations, std::vector<expression::Id>& D) const override;

  const Matrix& C_hat() const { return hat_equations_.C; }  ///< m × n_x
  auto D_hat() const { return hat_->D(); }                  ///< n_x × (n_x − rank C)
  /// The coordinates y, in the order of the last columns of D.
  const std::vector<int>& free_coordinates() const { return partition_.independent_coordinates(); }

 private:
  bool refuse(std::string_view why) {
    why_ = why;
    return false;
  }
  const Matrix& J() const { return of_J_.C; }
  auto Y() const { return partition_.D(); }
  Rates hat_rates(const Rates& rates) const;

  int max_rows_;
  LuBasis partition_;                                 // of J
  std::unique_ptr<EuclideanGramSchmidtBasis> hat_{};  // of Ĉ; made when n_x is known
  Equations of_J_{}, hat_equations_{};                // J and Ĉ in the place of C
  Matrix P_{};                                        // n × n_x
};

}  // namespace maggi
