#pragma once
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/formulas/derive_laws.hpp"
#include "system/formulas/derive_names.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// The rows of the constraints at all levels, and of the contacts that may stick: f, φ, ψ with C, Ċ and γ, also in
/// local coordinates, and the curvature of rows that are nonlinear in v̇. Error if a constraint constrains nothing.
void derive_constraints(const Model& model, const Numbers& numbers, const ModelNames& names, LawDerivation& laws,
                        Shape& shape, DerivedEquations& equations);

}  // namespace maggi
