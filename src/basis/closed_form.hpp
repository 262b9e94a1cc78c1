#pragma once
#include <string>
#include <vector>

#include "maggi/expert/basis.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {

/// D and Ḋ of a basis as formulas, for the choices (partition, supplementary rows) that it has made.
///
///     C D = 0 at every state,   Ḋ = dD/dt along the motion
///
/// A factor that numerator and denominator share is cancelled.
struct ClosedForm {
  int rows = 0, cols = 0;                   ///< n, k
  std::vector<expression::Id> D{}, Ddot{};  ///< row by row; empty if there is none
  std::string why{};                        ///< the reason why there is none
};

/// More text than this is not printed: nobody reads it.
inline constexpr std::size_t longest_closed_form = 20'000;

/// `basis` must have been computed on all rows of the equations; the formulas are added to their graph.
ClosedForm closed_form(DerivedEquations& equations, const Basis& basis);

}  // namespace maggi
