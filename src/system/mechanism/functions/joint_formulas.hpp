#pragma once
#include "system/mechanism/functions/formula_writer.hpp"

namespace maggi::mechanism {

// Rows that are formulas: what follows a course, what moves in proportion, and what joints hold besides their frames.
void write(const DrawnDriver& driver, FormulaWriter& out);
void write(const Coupling& coupling, FormulaWriter& out);
void write(const DrawnJoint& joint, FormulaWriter& out);  ///< its limits and its friction; rolling, a knife edge

}  // namespace maggi::mechanism
