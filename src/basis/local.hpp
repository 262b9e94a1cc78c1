#pragma once
#include "basis/gram_schmidt.hpp"
#include "basis/lu.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// The complement in the local coordinates x = g(q) of the constrained points, brought to the configuration space.
/// [BlajerBestleSchiehlen1994]
///
///     C = Ĉ J,   ẋ = J v,   Ĉ D̂ = 0                  constraints and their complement, small and local
///     J P = 1,   J Y = 0,   [P Y] = [J; G]⁻¹           G picks n − n_x coordinates y
///     D = [P D̂  Y],   u = [D̂ᵀJ v; v_y]                speeds of the points along the constraints; speeds of y
///     d₀ = P Ĉ⁺γ,     Cᵀλ = r  ⇒  Ĉᵀλ = Pᵀr           and Yᵀr = 0
///
/// Of local coordinates that depend on each other, independent ones are used: a point of a mechanism need not be able
/// to move in all directions. Where one almost depends on the others, by a sine below 0.1, one that no constraint needs
/// is left out. P and Y are the partition of J that the basis `lu` would make of a constraint matrix,
/// kept as long as it would be kept there; D̂ is orthonormal, by Gram-Schmidt: unit vectors of different points do not
/// see each other, so it falls apart into the blocks of the points by itself. Ĉ = C P is right only if C Y = 0: every
/// constraint must be a function of the local coordinates.
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

  /// The local coordinates in use, among all that are given.
  const std::vector<int>& local_coordinates() const { return used_; }
  const Matrix& C_hat() const { return hat_equations_.C; }  ///< m × n_x
  auto D_hat() const { return hat_->D(); }                  ///< n_x × (n_x − rank C)
  /// The coordinates y, in the order of the last columns of D.
  const std::vector<int>& free_coordinates() const { return partition_.independent_coordinates(); }

 private:
  bool refuse(std::string_view why) {
    why_ = why;
    return false;
  }
  auto Y() const { return partition_.D(); }
  bool place(const Matrix& J);
  void choose(const Equations& equations);
  double spread_of(const std::vector<int>& coordinates, const Equations& equations) const;
  Matrix J_rate(const Rates& rates) const;
  Rates hat_rates(const Rates& rates) const;

  int max_rows_;
  LuBasis partition_;                                 // of J
  std::unique_ptr<EuclideanGramSchmidtBasis> hat_{};  // of Ĉ; made when n_x is known
  Equations of_J_{}, hat_equations_{};                // all of J, and Ĉ, in the place of C
  std::vector<int> candidates_{}, used_{};            // local coordinates
  Eigen::Index given_ = -1;                           // how many there are
  double spread_ = 0.0, limit_ = 0.0;                 // one over the least sine of a row of J; its limit
  Matrix J_{}, P_{};                                  // n_x × n: the rows in use; n × n_x
};

}  // namespace maggi
