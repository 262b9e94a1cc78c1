#pragma once
#include <memory>
#include <optional>
#include <string>

#include "basis/closed_form.hpp"
#include "maggi/simulation.hpp"
#include "start/initial_conditions.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {

/// The equations at the start with a basis of the admissible motions: numbers, and formulas where the model has them.
struct StartEquations {
  /// Error (numerics) if the basis refuses; Error (model) if no basis has this name.
  StartEquations(Simulation& simulation, const std::string& basis_name);

  const Shape& shape;
  const InitialConditions& start;
  Equations equations;  ///< all rows
  std::unique_ptr<Basis> basis;
  std::optional<DerivedEquations> derived;  ///< none if the system is not made of formulas
  std::optional<ClosedForm> complement;
};

}  // namespace maggi
