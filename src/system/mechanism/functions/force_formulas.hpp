#pragma once
#include "system/mechanism/functions/formula_writer.hpp"

namespace maggi::mechanism {

// Forces that are formulas; joints and springs whose forces are numbers are evaluated without them.
template <class Real>
void write(const JointForce& force, FormulaWriterOver<Real>& out);
template <class Real>
void write(const DrawnSpringOver<Real>& spring, FormulaWriterOver<Real>& out);
template <class Real>
void write(const DrawnForceOver<Real>& force, FormulaWriterOver<Real>& out);
template <class Real>
void write(const DrawnBushingOver<Real>& bushing, FormulaWriterOver<Real>& out);

}  // namespace maggi::mechanism
