#pragma once
#include "system/formulas/equation_system.hpp"

namespace maggi {

/// The same equations for reading, each formula tidied: for printing, while tapes are made from what was derived.
DerivedEquations readable(DerivedEquations equations);

}  // namespace maggi
