#pragma once
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// Are two formulas over q, v, t equal in a way that simplification did not see? Compared at random points, relative to
/// rounding.
bool equal_everywhere(expression::Id x, expression::Id y, const Numbers& numbers, const DerivedEquations& equations);

}  // namespace maggi
