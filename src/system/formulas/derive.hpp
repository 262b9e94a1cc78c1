#pragma once
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/formulas/unconstrained_equations.hpp"

namespace maggi {

/// From the formulas of a model to the expressions of its equations, in two parts: what does not depend on its
/// constraints, and the rest with the shape of all.
/// Error with file, line and column where a formula or a name is wrong or makes no sense.
UnconstrainedEquations derive_unconstrained(const Model& model, const Numbers& numbers);
DerivedEquations derive_equations(UnconstrainedEquations unconstrained, const Model& model, const Numbers& numbers,
                                  Shape& shape);

}  // namespace maggi
