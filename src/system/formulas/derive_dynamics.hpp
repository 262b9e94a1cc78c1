#pragma once
#include <string>

#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/formulas/derived_equations.hpp"
#include "system/formulas/reach.hpp"

namespace maggi {

/// M, h and the energies of a model: from T and V by Lagrange's equations, or from the matrices given; with the
/// generalised forces and their power.
void derive_dynamics(const Model& model, const Numbers& numbers, const ParseFormula& parse, Shape& shape,
                     DerivedEquations& equations);

/// The coordinate that a force acts on; Error with the nearest name if there is none.
int coordinate_index(const Model& model, const GeneralisedForce& force, const std::string& what);

}  // namespace maggi
