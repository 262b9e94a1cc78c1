#pragma once

#include "formulation/maggi.hpp"
#include "formulation/scaled_lu.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// The balance and the constraints as one system. [PennestriValentini2007 (4)]
///
///     [ M  Cᵀ ] [ v̇ ]   [ h ]
///     [ C  0  ] [ −λ ] = [ γ ]        regular if C has full rank and DᵀMD > 0; M itself may be singular
///
/// Solved by L D Lᵀ in the given order, without pivoting, as long as its pivots are healthy: the first n are those of
/// M, the last m those of −C M⁻¹ Cᵀ, and each is compared with its diagonal entry before the others were eliminated.
/// That block squares the condition of C; if a pivot falls below `alarm`, the null space factors the same matrix
/// instead. Constraints that act along G have −G in the place of Cᵀ, and a general LU.
class Augmented final : public Formulation {
 public:
  Augmented(int n, int max_rows);
  std::string_view name() const override { return "augmented"; }
  bool solves_nonideal() const override { return true; }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  static constexpr double alarm = 1e-4;  // squared sine of the angle to the other rows: four digits lost at most

  bool solve_nonideal(const Equations& equations, Vector& vdot, Vector& lambda);
  bool solve_without_pivoting(const Equations& equations, Vector& vdot, Vector& lambda);

  Matrix K_;          // lower triangle
  Vector x_, schur_;  // right side and solution; diagonal of C M⁻¹ Cᵀ
  Maggi null_space_;
  ScaledLu lu_;
};

}  // namespace maggi
