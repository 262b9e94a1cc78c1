#include "system/mechanism/functions/formulas.hpp"

#include <algorithm>

#include "maggi/expert/parse.hpp"
#include "system/mechanism/functions/force_formulas.hpp"
#include "system/mechanism/functions/joint_formulas.hpp"

namespace maggi::mechanism {

namespace {

/// What the user wrote as formulas stays as it is.
void take_over(const Model& given, Model& model) {
  model.title = given.title;
  model.file = given.file;
  model.parameters = given.parameters;
  model.tables = given.tables;
  model.definitions = given.definitions;
  model.constraints = given.constraints;
  model.laws = given.laws;
  model.frictions = given.frictions;
  model.events = given.events;
  model.controls = given.controls;
  model.outputs = given.outputs;
  model.start_multipliers = given.start_multipliers;
  model.simulation = given.simulation;
  model.kinetic = "0";
}

template <class Finder>
void scan(const Formula& formula, Finder& functions) {
  for (const expression::Mention& mention : expression::mentions(formula.text))
    functions.find(mention.name, moved(formula.where, mention.offset));
}
template <class Finder>
void scan(const std::vector<GeneralisedForce>& along, Finder& functions) {
  for (const GeneralisedForce& force : along)
    functions.find(force.coordinate, force.where), scan(force.formula, functions);
}

/// Takes every output function that a formula of the model mentions.
template <class Finder>
void find_what_formulas_use(const Model& model, Finder& functions) {
  const auto scan = [&](const auto& formulas) { mechanism::scan(formulas, functions); };
  for (const Definition& d : model.definitions) scan(d.formula);
  for (const Constraint& c : model.constraints) scan(c.formula), scan(c.equals);
  for (const Law& law : model.laws) scan(law.formula), scan(law.along);
  for (const Friction& friction : model.frictions) {
    for (const Formula& along : friction.along) scan(along);
    scan(friction.coefficient);
    if (friction.stiction) scan(*friction.stiction);
    if (friction.normal) scan(*friction.normal);
  }
  for (const Event& event : model.events) scan(event.when);
  for (const Control& control : model.controls) scan(control.along);
  for (const Output& output : model.outputs) scan(output.formula);
  for (const GeneralisedForce& force : model.generalised_forces) scan(force.formula);
}

bool says_something(const Model& model) {
  return !model.definitions.empty() || !model.constraints.empty() || !model.laws.empty() || !model.frictions.empty() ||
         !model.events.empty() || !model.controls.empty() || !model.outputs.empty() || !model.start_multipliers.empty();
}

}  // namespace

template <class Real>
FormulasOver<Real>::FormulasOver(const Model& model, const Numbers& numbers, const DrawingOver<Real>& drawing,
                                 bool keeps_zeros) {
  take_over(model, model_);
  FunctionFinderOver<Real> finder(drawing, functions_, with_coordinates_);
  FormulaWriterOver<Real> writer{numbers, drawing, finder, model_, keeps_zeros, leaves_zeros_out_};
  for (const DrawnDriverOver<Real>& driver : drawing.drivers) write(driver, writer);
  for (const Coupling& coupling : model.mechanism.couplings) write(coupling, writer);
  for (const DrawnJointOver<Real>& joint : drawing.joints) write(joint, writer);
  for (const JointForce& force : model.mechanism.joint_forces) write(force, writer);
  for (const DrawnSpringOver<Real>& spring : drawing.springs) write(spring, writer);
  for (const DrawnForceOver<Real>& force : drawing.forces) write(force, writer);
  for (const DrawnBushingOver<Real>& bushing : drawing.bushings) write(bushing, writer);
  find_what_formulas_use(model_, finder);
  if (functions_.empty() && says_something(model_)) finder.take_any();
  std::ranges::stable_partition(functions_,
                                [](const OutputFunctionOver<Real>& q) { return q.kind == OutputFunctionKind::row; });
}

template <class Real>
Model FormulasOver<Real>::model(const std::vector<Row>& gaps) const {
  Model result = model_;
  std::vector<Constraint> rows;
  for (const Row& gap : gaps) {
    Coordinate coordinate;
    coordinate.name = "gap." + gap.name;
    coordinate.unit = gap.unit;
    coordinate.where = gap.where;
    coordinate.measured = true;
    result.coordinates.push_back(coordinate);
    Constraint row;
    row.name = gap.name;
    row.owner = gap.owner;
    row.component = gap.component;
    row.formula = Formula(coordinate.name, gap.where);
    row.unit = gap.unit;
    row.where = gap.where;
    rows.push_back(std::move(row));
  }
  for (const OutputFunctionOver<Real>& function : functions_) {
    Coordinate coordinate;
    coordinate.name = function.name;
    coordinate.unit = function.unit;
    coordinate.measured = true;
    coordinate.rate_only = function.rate_only;
    result.coordinates.push_back(coordinate);
  }
  result.constraints.insert(result.constraints.begin(), rows.begin(), rows.end());
  return result;
}

template class FormulasOver<double>;
template class FormulasOver<Dual>;

}  // namespace maggi::mechanism
