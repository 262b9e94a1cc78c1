#pragma once
#include <memory>
#include <string_view>

#include "analysis/hidden_constraints.hpp"
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"

namespace maggi {

/// A system with the constraints that its model hides, and its consistent start: what every run begins with. What
/// constraints do not change is derived once. Each hidden constraint costs the rows of the constraints and a search for
/// positions and velocities, because it is found where the system without it moves; accelerations are asked for once.
struct CompleteSystem {
  std::shared_ptr<System> system;
  std::unique_ptr<Dynamics> dynamics;  ///< with the rank decision of the start
  InitialConditions start;
  HiddenConstraints hidden;
};

/// The system of a model, for the same model with other numbers.
struct DerivedBefore {
  std::shared_ptr<const System> system;
  int rank = 0;  ///< of the constraints at its start, where nothing was hidden
};

/// May a model that differs in numbers only take over these equations, derived from formulas? Not if numbers decide
/// what they are: where constraints are hidden, with controls and with constraints on accelerations.
bool may_share(const Model& model, const Numbers& numbers, const System& system, const HiddenConstraints& hidden);

/// Of a model that has passed validate(). Error as find_initial_conditions(); Error (model) if controls need hidden
/// constraints that could not be found. `before`: what with_numbers() takes over; of equations from formulas only if
/// the constraints have the same rank at the start as there.
CompleteSystem complete_system(const Model& model, const Numbers& numbers, std::string_view formulation = "auto",
                               std::string_view basis = "", const DerivedBefore* before = nullptr);

}  // namespace maggi
