#pragma once
#include <vector>

#include "system/formulas/equation_system.hpp"

namespace maggi {

/// The same equations for reading, each formula tidied: for printing, while tapes are made from what was derived.
DerivedEquations readable(DerivedEquations equations);

/// The same equations with some of their constraints only; λ keeps the names of all.
DerivedEquations with_rows(DerivedEquations equations, const Shape& shape, const std::vector<int>& rows);

}  // namespace maggi
