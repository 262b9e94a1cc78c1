#pragma once
#include <memory>

#include "maggi/expert/system.hpp"
#include "model/numbers.hpp"
#include "system/formulas/unconstrained_equations.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {

/// The system of a model: from its bodies and joints, or from its formulas. Error as validate().
std::unique_ptr<System> make_system(const Model& model);
/// The same of a model that has passed validate(), whose numbers are known.
std::unique_ptr<System> make_system(const Model& model, const Numbers& numbers);
/// The system of a model of formulas, with what derive_unconstrained() gives for it or for one with fewer constraints;
/// it has the numbers that are meant where those typed in constraints are rounded.
std::unique_ptr<System> make_equations(const Model& model, const Numbers& numbers,
                                       const UnconstrainedEquations& unconstrained);
/// The system of a model that differs in numbers only from that of which `before` was made: equations that do not
/// depend on what these numbers are, are taken over.
std::unique_ptr<System> with_numbers(const System& before, const Model& model, const Numbers& numbers);

/// What was found about rounded data of a system: of its joints, or of numbers typed in its constraints.
const std::vector<MechanismSystem::RoundedLoop>& rounded_data(const System& system);

}  // namespace maggi
