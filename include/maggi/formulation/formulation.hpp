#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "maggi/basis/basis.hpp"
#include "maggi/system/equations.hpp"

namespace maggi {

/// One way to get v̇ and λ from M v̇ = h + Cᵀλ, C v̇ = γ. The rows of C are linearly independent.
/// One object per thread; memory is allocated at construction, solve() allocates nothing.
class Formulation {
 public:
  virtual ~Formulation() = default;
  virtual std::string_view name() const = 0;

  /// Fills v̇ and λ (sized by the caller: n and the rows of C). false if this method finds no unique solution here.
  virtual bool solve(const Equations& equations, Vector& vdot, Vector& lambda) = 0;

  /// Does it solve M v̇ = h + G λ too?
  virtual bool solves_nonideal() const { return false; }

  /// Must `v` and `rate` of the equations be filled?
  virtual bool needs_rates() const { return false; }

  /// The basis of the last solution; none if the method is given none.
  virtual const Basis* basis() const { return nullptr; }

  std::string_view why() const { return why_; }  ///< the reason of the last refusal

 protected:
  bool refuse(std::string_view literal) {
    why_ = literal;
    return false;
  }

  static constexpr std::string_view not_finite = "a derivative of a constraint is not a finite number";
  static constexpr std::string_view singular_mass = "the mass matrix is not positive definite, which this method needs";
  static constexpr std::string_view dependent_rows = "the constraints are dependent";
  static constexpr std::string_view no_grip = "the forces that keep the constraints do not act on them";
  static constexpr std::string_view weightless = "a motion that the constraints allow has no inertia";

 private:
  std::string_view why_;
};

/// "augmented", "maggi" ...; `basis` names the basis for those that need one ("" for the default).
/// Error with the nearest name, or if the formulation has no use for the basis given.
std::unique_ptr<Formulation> make_formulation(std::string_view name, std::string_view basis, int n, int max_rows);
std::span<const std::string> formulation_names();
/// Those, and "recursive": the one that needs no matrices, for systems with an Recursion. What a user may ask for.
std::span<const std::string> formulation_choices();
bool needs_basis(std::string_view formulation);
std::span<const std::string> nonideal_formulation_names();     ///< those that solve M v̇ = h + G λ
std::string_view default_basis(std::string_view formulation);  ///< "" if it uses none

}  // namespace maggi
