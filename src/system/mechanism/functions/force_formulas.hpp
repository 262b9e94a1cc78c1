#pragma once
#include "system/mechanism/functions/formula_writer.hpp"

namespace maggi::mechanism {

// Forces that are formulas; joints and springs whose forces are numbers are evaluated without them.
void write(const JointForce& force, FormulaWriter& out);
void write(const DrawnSpring& spring, FormulaWriter& out);
void write(const DrawnForce& force, FormulaWriter& out);
void write(const DrawnBushing& bushing, FormulaWriter& out);

}  // namespace maggi::mechanism
