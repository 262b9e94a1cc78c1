#pragma once
#include "system/mechanism/functions/formula_writer.hpp"

namespace maggi::mechanism {

// Rows that are formulas: what follows a course, what moves in proportion, and what joints hold besides their frames.
template <class Real>
void write(const DrawnDriverOver<Real>& driver, FormulaWriterOver<Real>& out);
template <class Real>
void write(const Coupling& coupling, FormulaWriterOver<Real>& out);
template <class Real>
void write(const DrawnJointOver<Real>& joint,
           FormulaWriterOver<Real>& out);  ///< its limits and its friction; rolling, a knife edge

}  // namespace maggi::mechanism
