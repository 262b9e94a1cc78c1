#pragma once
#include "maggi/model/model.hpp"
#include "maggi/system/equation_system.hpp"
#include "system/reach.hpp"

namespace maggi {

/// The scene of a drawing and the numbers in it. Error if its points have no common dimension or a name is unknown.
void derive_drawing(const Sketch& drawing, const ParseFormula& parse, Shape& shape, DerivedEquations& equations);

}  // namespace maggi
