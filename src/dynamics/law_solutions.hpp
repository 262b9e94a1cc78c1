#pragma once
#include <string>
#include <vector>

#include "maggi/expert/system.hpp"

namespace maggi {

class ReducedLaws;

/// How many forces satisfy the laws and the constraints together at one instant.
///
///     without laws  M v̇ = h + G λ + T τ, C v̇ = γ   gives  λ = λ₀ + Λ τ
///     with them     law(λ₀ + Λ τ, τ) = 0            linearised  (1 + K Λ) τ = τ_given − K λ₀
///
/// det(1 + K Λ) is det(C M⁻¹(G − T K)) divided by its value without laws. Laws in |N| are linear for given signs of the
/// reactions they use. If the determinant is positive for all signs, there is one solution, whatever the forces;
/// otherwise all signs are tried: there can be one, none or several (Painlevé).
struct LawSolutions {
  struct Forces {
    Vector lambda, tau;  ///< m, laws
  };

  /// Below it the matrix counts as singular: the forces are then 10⁹ times those of the ideal constraints.
  static constexpr double singular = 1e-9;

  double determinant = 1.0;   ///< the smallest over all signs
  int contact = -1;           ///< whose friction makes it so small; −1 if it is none or no single one
  double critical = 0.0;      ///< the coefficient of that contact at which the determinant is zero
  std::vector<Forces> found;  ///< all solutions, if the determinant does not say that there is one
  std::vector<int> pressing;  ///< rows whose signs were varied

  bool unique() const { return determinant > singular || found.size() == 1; }
  std::string explain(const Shape& shape) const;  ///< if not unique(): in words and names

  void reset(int laws);  ///< as if there were one solution
  /// After reset(): looks at the laws for all signs of the reactions of `rows` that they use. `list`: the solutions are
  /// looked for even if there can be only one. Asks for no memory from the second call on, where there is one.
  void find(const Shape& shape, const Terms& terms, const Instant& at, const std::vector<int>& rows, bool list,
            ReducedLaws& reduced);

 private:
  Vector probe_lambda_, no_tau_;  // forces at which the laws are looked at
};

/// What dependent rows leave open of λ: columns z with Cᵀz = 0, one for each dependent row. λ_i is unique if row i is
/// zero.
Matrix open_multipliers(Matrix C, const std::vector<int>& independent, const std::vector<int>& dependent);

}  // namespace maggi
