#pragma once
#include <vector>

#include "system/formulas/equation_system.hpp"

namespace maggi {

/// A system with its equations as formulas: derived from the formulas of the model, or from its bodies and joints.
struct WrittenSystem {
  const System& system;
  const DerivedEquations& derived;
  const std::vector<double>& parameters;  ///< values of derived.parameters

  WrittenSystem(const System& which, const DerivedEquations& equations, const std::vector<double>& values)
      : system(which), derived(equations), parameters(values) {}
  WrittenSystem(const EquationSystem& formulas)  // NOLINT: it is one
      : WrittenSystem(formulas, formulas.derived(), formulas.parameters()) {}
};

}  // namespace maggi
