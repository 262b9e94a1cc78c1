#pragma once
#include <utility>
#include <vector>

#include "maggi/expert/derivative.hpp"
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// Seeds of d/dt along the motion: q̇ = v, ṫ = 1, and v̇ = a or, at fixed velocities, v̇ = 0.
std::vector<std::pair<expression::Id, expression::Id>> along_motion(DerivedEquations& equations,
                                                                    bool with_acceleration);

/// ∂/∂x for each of the variables.
std::vector<expression::Derivative> derivatives_by(const std::vector<expression::Id>& variables,
                                                   expression::Graph& graph);

}  // namespace maggi
