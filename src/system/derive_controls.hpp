#pragma once
#include "maggi/model/model.hpp"
#include "maggi/system/equation_system.hpp"

namespace maggi {

/// The variables of the controls. Error if one acts on nothing, or if there are not as many as constraints they keep.
void derive_controls(const Model& model, DerivedEquations& equations);

}  // namespace maggi
