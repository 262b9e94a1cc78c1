#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "maggi/expert/formulation.hpp"

namespace maggi {

/// "augmented", "maggi" ...; `basis` names the basis for those that need one ("" for the default).
/// Error with the nearest name, or if the formulation has no use for the basis given.
std::unique_ptr<Formulation> make_formulation(std::string_view name, std::string_view basis, int n, int max_rows);
std::span<const std::string> formulation_names();
/// Those, and "recursive": the one that needs no matrices, for systems with an Recursion. What a user may ask for.
std::span<const std::string> formulation_choices();
bool needs_basis(std::string_view formulation);
std::span<const std::string> nonideal_formulation_names();     ///< those that solve M v̇ = h + G λ
bool divides_by_mass(std::string_view formulation);            ///< refuses a mass matrix that is singular
std::string_view default_basis(std::string_view formulation);  ///< "" if it uses none

}  // namespace maggi
