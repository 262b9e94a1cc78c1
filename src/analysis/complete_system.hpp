#pragma once
#include <memory>
#include <string_view>

#include "analysis/hidden_constraints.hpp"
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"

namespace maggi {

/// A system with the constraints that its model hides, and its consistent start: what every run begins with. A model
/// without hidden constraints is derived once and its start is searched for once; each hidden constraint costs one more
/// derivation, because it is found at the start of the system without it.
struct CompleteSystem {
  std::shared_ptr<System> system;
  std::unique_ptr<Dynamics> dynamics;  ///< with the rank decision of the start
  InitialConditions start;
  HiddenConstraints hidden;
};

/// Equations that were derived from a model, for the same model with other numbers.
struct DerivedBefore {
  std::shared_ptr<const EquationSystem> system;
  int rank = 0;  ///< of the constraints at its start, where nothing was hidden
};

/// May a model that differs in numbers only take over the equations of this one? Not if numbers decide what they are:
/// from bodies and joints, where constraints are hidden, with controls and with constraints on accelerations.
bool may_share(const Model& model, const System& system, const HiddenConstraints& hidden);

/// Error as find_initial_conditions(); Error (model) if controls need hidden constraints that could not be found.
/// `before`: equations that are used if the constraints have the same rank at the start as there; otherwise, and
/// without it, the model is derived.
CompleteSystem complete_system(const Model& model, std::string_view formulation = "auto", std::string_view basis = "",
                               const DerivedBefore* before = nullptr);

}  // namespace maggi
