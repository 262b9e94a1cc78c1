#include "system/mechanism/reference/dual_numbers.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/tape.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/derivative.hpp"

namespace maggi::mechanism {

DualNumbers::DualNumbers(const Model& model, const Numbers& numbers, std::size_t first) : numbers_(numbers) {
  for (const TableFile& file : model.tables) scope_.declare_table(file.name, file.table);
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const Parameter& parameter = model.parameters[i];
    Dual value = (*this)(parameter.value, parameter.name);
    if (i >= first && i < first + Dual::directions) value.set_slope(static_cast<int>(i - first), 1.0);
    parameters_.push_back(graph_.variable(parameter.name));
    scope_.declare(parameter.name, parameters_.back());
    values_.push_back(value);
  }
}

Dual DualNumbers::operator()(const Formula& formula, std::string_view what) const {
  Dual result = numbers_(formula, what);
  if (parameters_.empty()) return result;
  expression::Graph graph = graph_;
  const expression::Id value = expression::parse(formula.text, graph, scope_, formula.where);
  std::vector<double> parameters;
  std::vector<expression::Id> partial;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    parameters.push_back(values_[i].value);
    partial.push_back(expression::Derivative(graph, {{parameters_[i], graph.constant(1.0)}})(value));
  }
  const expression::Tape tape(graph, {}, parameters_, partial);
  std::vector<double> scratch(tape.slots());
  tape.prepare(parameters, scratch);
  tape.run(scratch);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const double by_parameter = scratch[tape.output(i)];
    if (!std::isfinite(by_parameter))
      throw Error(Errc::model, formula.where,
                  fmt::format("{} has no derivative by its parameters: {}", what, formula.text),
                  "a root or a power of zero: give a value around which it may change");
    result += by_parameter * Dual(0.0, values_[i].low, values_[i].high);
  }
  return result;
}

}  // namespace maggi::mechanism
