#pragma once
#include "maggi/equations.hpp"
#include "maggi/expert/basis.hpp"
#include "simulation/in_force.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {

/// The equations in force as formulas and as LaTeX. `basis` has been computed on the rows in force.
void write_formulas(const EquationSystem& system, const InForce& in_force, const Mode& mode, const Basis& basis,
                    EquationsOfMotion& result);

}  // namespace maggi
