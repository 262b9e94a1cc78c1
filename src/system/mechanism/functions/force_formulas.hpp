#pragma once
#include "system/mechanism/functions/formula_writer.hpp"

namespace maggi::mechanism {

/// All forces that are formulas; joints and springs whose forces are numbers are evaluated without them.
void write_forces(const Mechanism& mechanism, FormulaWriter& out);

}  // namespace maggi::mechanism
