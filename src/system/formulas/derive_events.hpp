#pragma once
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "system/formulas/derived_equations.hpp"
#include "system/formulas/reach.hpp"

namespace maggi {

/// What crosses zero, and the rows it switches. Error if an event, or an inactive constraint, makes no difference.
void derive_events(const Model& model, const ParseFormula& parse, Shape& shape, DerivedEquations& equations);

}  // namespace maggi
