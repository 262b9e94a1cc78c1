#pragma once
#include "maggi/model/model.hpp"
#include "maggi/system/equation_system.hpp"
#include "system/reach.hpp"

namespace maggi {

/// What crosses zero, and the rows it switches. Error if an event, or an inactive constraint, makes no difference.
void derive_events(const Model& model, const ParseFormula& parse, Shape& shape, DerivedEquations& equations);

}  // namespace maggi
