#include "system/formula_evaluator.hpp"

#include "system/mechanism/functions/formula_mechanism.hpp"

namespace maggi {

FormulaEvaluator compile_formulas(System& system, Compile when, double evaluations) {
  auto* formulas = dynamic_cast<EquationSystem*>(&system);
  if (auto* mechanism = dynamic_cast<mechanism::FormulaMechanism*>(&system)) formulas = &mechanism->formulas();
  if (!formulas) return {};
  std::string text = formulas->compile(when, evaluations);
  return {text.starts_with("compiled") ? "compiled" : "tape", std::move(text)};
}

template <>
const ChoiceList<Compile>& choice_list() {
  static const ChoiceList<Compile> list(
      "choice for compiling", {{Compile::automatic, "auto"}, {Compile::always, "always"}, {Compile::never, "never"}});
  return list;
}
template class Choice<Compile>;

}  // namespace maggi
