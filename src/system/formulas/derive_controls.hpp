#pragma once
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// The variables of the controls. Error if one acts on nothing, or if there are not as many as constraints they keep.
void derive_controls(const Model& model, DerivedEquations& equations);

}  // namespace maggi
