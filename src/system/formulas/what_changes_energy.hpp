#pragma once
#include <string>

#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// Why T + V (with terms linear in v: v·∂T/∂v − T + V) is not conserved, in words; empty if it is.
std::string what_changes_energy(const Model& model, const Numbers& numbers, const Shape& shape,
                                const DerivedEquations& equations);

}  // namespace maggi
