#pragma once
#include <string>
#include <vector>

#include "maggi/expert/shape.hpp"
#include "system/formulas/derived_equations.hpp"
#include "system/formulas/reach.hpp"

namespace maggi {

/// What a model says without its constraints: its names, local coordinates, M, h and energies. A model that differs in
/// constraints only has the same, so that a constraint that is found later can be added to it.
struct UnconstrainedEquations {
  /// What a definition or a local coordinate stands for, or one of its time derivatives.
  struct Defined {
    std::string name;
    expression::Id id;
    Reach reach;
  };

  DerivedEquations equations;
  Shape shape;
  std::vector<Defined> definitions;
  std::size_t definitions_read = 0;  ///< of the model
};

}  // namespace maggi
