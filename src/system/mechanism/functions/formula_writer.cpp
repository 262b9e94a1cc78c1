#include "system/mechanism/functions/formula_writer.hpp"

#include <fmt/format.h>

#include "maggi/expert/parse.hpp"

namespace maggi::mechanism {

Where moved(Where where, int columns) {
  if (where.column > 0) where.column += columns;
  return where;
}

Formula enclosed(const std::string& before, const Formula& formula, const std::string& behind) {
  return {before + formula.text + behind, moved(formula.where, -static_cast<int>(before.size()))};
}

Constraint& FormulaWriter::add_row(const std::string& owner, const std::string& component, const Formula& formula,
                                   const std::string& unit, const Where& where) {
  Constraint row;
  row.name = component.empty() ? owner : owner + "." + component;
  row.owner = owner;
  row.component = component;
  row.formula = formula;
  row.unit = unit;
  row.where = where;
  return model.constraints.emplace_back(std::move(row));
}

void FormulaWriter::add_force(const std::string& function, Formula formula, const Where& where) {
  model.generalised_forces.push_back({function, std::move(formula), where});
}

void FormulaWriter::add_potential(const std::string& text) {
  model.potential.text += (model.potential.text.empty() ? "" : " + ") + text;
}

Factor FormulaWriter::number(const Formula& formula, const std::string& what) const {
  const double value = numbers(formula, what);
  const bool has_names = !expression::mentions(formula.text).empty();
  return {value, has_names ? fmt::format("({})", formula.text) : fmt::format("{}", value)};
}

void FormulaWriter::add_spring(const std::string& name, const Factor& stiffness, const Factor& rest,
                               const Factor& damping, const Where& where) {
  if (stiffness.value != 0.0) add_potential(fmt::format("{}/2*({} - ({}))^2", stiffness.text, name, rest.text));
  if (damping.value != 0.0) add_force(name, Formula(fmt::format("-({})*{}'", damping.text, name), where), where);
}

}  // namespace maggi::mechanism
