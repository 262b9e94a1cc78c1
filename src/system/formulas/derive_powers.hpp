#pragma once
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// Adds the powers of all that moves the system by constraints, and of the controls, to its outputs:
///
///     motor.power   Σ λ_i (C v)_i    of a driver or a constraint, over its rows that may do work
///     F.power       p (Bᵀv)          of a control
///
/// The reactions of all other rows do none, because C v = 0: position rows without time in them, velocity rows that are
/// linear and homogeneous in v.
void derive_powers(Shape& shape, DerivedEquations& equations);

}  // namespace maggi
