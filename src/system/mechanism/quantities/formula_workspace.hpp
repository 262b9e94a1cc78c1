#pragma once
#include <memory>

#include "system/mechanism/quantities/measuring_system.hpp"

namespace maggi::mechanism {

/// Memory of a FormulaMechanism: that of the mechanism, that of the formulas, and what is between them.
struct FormulaWorkspace final : Workspace {
  std::unique_ptr<Workspace> mechanism, formulas;
  Acceleration of_quantities;  ///< s̈, and the forces as they are
  Vector forces;               ///< along the quantities
  // derivatives
  Derivatives over_quantities;
  Acceleration held;
  Matrix S, C, curvature;  ///< dense
  Matrix by_quantities;    ///< a sum over them
};

inline FormulaWorkspace& memory_of(Workspace& w) { return static_cast<FormulaWorkspace&>(w); }

/// The state of the formulas: the quantities and their rates.
inline Instant seen(const Instant& at, const Measured& m) { return {at.t, m.value.data(), m.rate.data()}; }

}  // namespace maggi::mechanism
