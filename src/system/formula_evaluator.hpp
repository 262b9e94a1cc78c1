#pragma once
#include <string>

#include "base/choice_list.hpp"
#include "maggi/run_options.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {

/// How the formulas of a system are evaluated.
struct FormulaEvaluator {
  std::string name;  ///< "tape", "compiled"; empty: the system has no formulas
  std::string text;  ///< in words, with the reason
};

/// Fixes it, before a run: see EquationSystem::compile(). The formulas of a mechanism are those over its output
/// functions (forces, constraints, outputs …); its bodies and joints are computed by the library and need no compiling.
FormulaEvaluator compile_formulas(System& system, Compile when, double evaluations = 0.0);

template <>
const ChoiceList<Compile>& choice_list();

}  // namespace maggi
