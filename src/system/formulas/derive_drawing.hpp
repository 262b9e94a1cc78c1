#pragma once
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "system/formulas/derived_equations.hpp"
#include "system/formulas/reach.hpp"

namespace maggi {

/// The scene of a drawing and the numbers in it. Error if its points have no common dimension or a name is unknown.
void derive_drawing(const Sketch& drawing, const ParseFormula& parse, Shape& shape, DerivedEquations& equations);

}  // namespace maggi
