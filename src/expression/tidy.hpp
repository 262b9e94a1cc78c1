#pragma once
#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// What happens to a factor that numerator and denominator share.
enum class Fractions {
  keep,    ///< x/x stays: x may be 0
  cancel,  ///< x/x = 1: the formula then holds by continuity where x vanishes
};

/// The same formula for reading: equal factors become powers, equal terms are added, what all terms share stands in
/// front, and pairs of terms are joined by the addition theorems.
///
///     x'*sin(y)*x'                      →  sin(y)*x'^2
///     m*l^2 + 0.3333333333333333*n*l^2  →  l^2*(m + n/3)
///     cos(a)*sin(b) − sin(a)*cos(b)     →  sin(b − a)
///
/// Nothing is multiplied out. Equal to the formula given in exact arithmetic, not to the last bit: for the eye, while
/// tapes are made from what was derived.
Id tidy(Graph& graph, Id expression, Fractions fractions = Fractions::keep);

}  // namespace maggi::expression
