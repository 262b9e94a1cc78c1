#pragma once
#include <memory>

#include "system/mechanism/functions/system_with_functions.hpp"

namespace maggi::mechanism {

/// Memory of a FormulaMechanism: that of the mechanism, that of the formulas, and what is between them.
struct FormulaWorkspace final : Workspace {
  std::unique_ptr<Workspace> mechanism, formulas;
  Acceleration of_functions;  ///< s̈, and the forces as they are
  Vector forces;              ///< along the output functions
  // derivatives
  Derivatives over_functions;
  Acceleration held;
  Matrix S, C, curvature;  ///< dense
  Matrix by_functions;     ///< a sum over the output functions
};

inline FormulaWorkspace& memory_of(Workspace& w) { return static_cast<FormulaWorkspace&>(w); }

/// The state of the formulas: the values of the output functions and their rates.
inline Instant seen(const Instant& at, const FunctionValues& m) { return {at.t, m.value.data(), m.rate.data()}; }

}  // namespace maggi::mechanism
