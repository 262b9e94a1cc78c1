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

template <class Real>
Constraint& FormulaWriterOver<Real>::add_row(const std::string& owner, const std::string& component,
                                             const Formula& formula, const std::string& unit, const Where& where) {
  Constraint row;
  row.name = component.empty() ? owner : owner + "." + component;
  row.owner = owner;
  row.component = component;
  row.formula = formula;
  row.unit = unit;
  row.where = where;
  return model.constraints.emplace_back(std::move(row));
}

template <class Real>
void FormulaWriterOver<Real>::add_force(const std::string& function, Formula formula, const Where& where) {
  model.generalised_forces.push_back({function, std::move(formula), where});
}

template <class Real>
void FormulaWriterOver<Real>::add_potential(const std::string& text) {
  model.potential.text += (model.potential.text.empty() ? "" : " + ") + text;
}

template <class Real>
Factor FormulaWriterOver<Real>::number(const Formula& formula, const std::string& what) const {
  const double value = numbers(formula, what);
  const bool has_names = !expression::mentions(formula.text).empty();
  return {value, has_names ? fmt::format("({})", formula.text) : fmt::format("{}", value), has_names};
}

template <class Real>
void FormulaWriterOver<Real>::add_spring(const std::string& name, const Factor& stiffness, const Factor& rest,
                                         const Factor& damping, const Where& where) {
  if (!is_zero(stiffness)) add_potential(fmt::format("{}/2*({} - ({}))^2", stiffness.text, name, rest.text));
  if (!is_zero(damping)) add_force(name, Formula(fmt::format("-({})*{}'", damping.text, name), where), where);
}

template struct FormulaWriterOver<double>;
template struct FormulaWriterOver<Dual>;

}  // namespace maggi::mechanism
