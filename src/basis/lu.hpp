#pragma once

#include "base/decompositions.hpp"
#include "basis/cramer.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// Partition into dependent coordinates d and independent ones i, by LU with full pivoting. [PennestriValentini2007,
/// BlajerBestleSchiehlen1994]
///
///     C_d v_d + C_i v_i = 0,   X = C_d⁻¹ C_i,   D = [−X; 1] in the order d, i,   u = v_i
///     Ḋ = [−C_d⁻¹ Ċ D; 0]
///
/// After the pivots are found, coordinates are exchanged until no entry of X exceeds 1 (largest volume); the partition
/// is then kept, so that D is a smooth function of the state, until an entry exceeds `growth`.
class LuBasis final : public Basis {
 public:
  LuBasis(int n, int max_rows);
  std::string_view name() const override { return "lu"; }
  bool compute(const Equations& equations) override;
  void particular(const Vector& gamma, Vector& d0) const override;   ///< [C_d⁻¹ γ; 0]
  void multipliers(const Vector& r, Vector& lambda) const override;  ///< C_d⁻ᵀ r_d
  bool rate(const Rates& rates, Matrix& Ddot) const override;
  void tangent(const Vector& v, Vector& u) const override;  ///< v_i
  bool tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const override;

  void forget() { last_rows_ = -1; }  ///< the next compute() chooses again

  std::string closed_form(DerivedEquations& equations, std::vector<expression::Id>& D) const override;

  std::string closed_form(expression::Graph& graph, const FormulaMatrix& C, std::vector<expression::Id>& D) const;

  const std::vector<int>& independent_rows() const { return rows_; }
  const std::vector<int>& dependent_coordinates() const { return d_; }
  const std::vector<int>& independent_coordinates() const { return i_; }
  const Matrix& X() const { return X_; }  ///< r × k
  /// Y with C_d Y_d = B, zero for the independent coordinates, as formulas; the reason if it is too large.
  std::string solve(expression::Graph& graph, const FormulaMatrix& C, const FormulaMatrix& B, FormulaMatrix& Y) const;
  Vector solve(const Vector& gamma) const;             ///< C_d⁻¹ γ, for the rows in use
  Vector solve_transposed(const Vector& right) const;  ///< C_d⁻ᵀ x; λ in the order of all rows, zero for dependent ones

 private:
  static constexpr double growth = 10.0;

  void select(const Matrix& C);
  bool partition(const Matrix& C);  ///< X for the coordinates chosen; false if C_d is singular

  std::vector<int> rows_, d_, i_;
  Eigen::PartialPivLU<Matrix> lu_;  // of C_d
  Matrix Cd_, X_;
  Eigen::Index last_rows_ = -1;
};

}  // namespace maggi
