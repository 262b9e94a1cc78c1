#pragma once
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// From the formulas of a model to the expressions of its equations, and to the shape they have.
/// Error with file, line and column where a formula or a name is wrong or makes no sense.
DerivedEquations derive_equations(const Model& model, const Numbers& numbers, Shape& shape);

}  // namespace maggi
