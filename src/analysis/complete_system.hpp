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
  std::unique_ptr<System> system;
  std::unique_ptr<Dynamics> dynamics;  ///< with the rank decision of the start
  InitialConditions start;
  HiddenConstraints hidden;
};

/// Error as find_initial_conditions(); Error (model) if controls need hidden constraints that could not be found.
CompleteSystem complete_system(const Model& model, std::string_view formulation = "auto", std::string_view basis = "");

}  // namespace maggi
