#pragma once
#include "system/mechanism/functions/formula_writer.hpp"

namespace maggi::mechanism {

/// All forces that are formulas; joints and springs whose forces are numbers are evaluated without them. Error for
/// numbers that make no sense.
template <class Real>
void write_forces(const Mechanism& mechanism, const NumbersOver<Real>& numbers, FormulaWriterOver<Real>& out);

}  // namespace maggi::mechanism
