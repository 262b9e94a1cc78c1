#pragma once
#include "maggi/model/model.hpp"
#include "maggi/model/numbers.hpp"
#include "maggi/system/equation_system.hpp"

namespace maggi {

/// From the formulas of a model to the expressions of its equations, and to the shape they have.
/// Error with file, line and column where a formula or a name is wrong or makes no sense.
DerivedEquations derive_equations(const Model& model, const Numbers& numbers, Shape& shape);

}  // namespace maggi
