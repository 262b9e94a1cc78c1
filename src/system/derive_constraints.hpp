#pragma once
#include "maggi/model/model.hpp"
#include "maggi/model/numbers.hpp"
#include "maggi/system/equation_system.hpp"
#include "system/derive_laws.hpp"
#include "system/derive_names.hpp"

namespace maggi {

/// The rows of the constraints at all levels, and of the contacts that may stick: f, φ, ψ with C, Ċ and γ, also in
/// local coordinates, and the curvature of rows that are nonlinear in v̇. Error if a constraint constrains nothing.
void derive_constraints(const Model& model, const Numbers& numbers, const ModelNames& names, LawDerivation& laws,
                        Shape& shape, DerivedEquations& equations);

}  // namespace maggi
