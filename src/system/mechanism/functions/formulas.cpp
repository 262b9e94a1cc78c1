#include "system/mechanism/functions/formulas.hpp"

#include <algorithm>

#include "maggi/expert/parse.hpp"
#include "model/model_tables.hpp"
#include "system/mechanism/functions/force_formulas.hpp"
#include "system/mechanism/functions/joint_formulas.hpp"

namespace maggi::mechanism {

namespace {

/// Takes every output function that a formula of the model mentions.
template <class Finder>
struct FunctionScan {
  Finder& functions;

  void operator()(const Formula& formula) const {
    for (const expression::Mention& mention : expression::mentions(formula.text))
      functions.find(mention.name, moved(formula.where, mention.offset));
  }
  void operator()(const GeneralisedForce& force) const {
    functions.find(force.coordinate, force.where);
    (*this)(force.formula);
  }
};

/// Friction without a sliding velocity, on a constraint on a marker: it slides along the other coordinates of that.
template <class Finder>
void find_what_slides(const Model& model, Finder& functions) {
  for (const Friction& friction : model.frictions) {
    if (!friction.along.empty()) continue;
    for (const Reference& on : friction.on) {
      const auto constraint = std::ranges::find(model.constraints, on.name, &Constraint::name);
      if (constraint == model.constraints.end()) continue;
      for (const expression::Mention& mention : expression::mentions(constraint->formula.text))
        functions.find_whole_point(mention.name);
    }
  }
}

/// Does the model say something about the motion of the mechanism besides its parts?
bool says_something(const Model& model) {
  bool found = false;
  fields::for_each_table(model, [&](std::string_view name, fields::Beside beside, bool given) {
    const bool about_motion = beside == fields::Beside::either && name != "title" && name != "parameters";
    found = found || (about_motion && given);
  });
  return found;
}

}  // namespace

template <class Real>
FormulasOver<Real>::FormulasOver(const Model& model, const NumbersOver<Real>& numbers, const DrawingOver<Real>& drawing,
                                 bool keeps_zeros) {
  fields::GeneralTables(model, model_);  // what the user wrote as formulas stays as it is
  model_.kinetic = "0";
  FunctionFinderOver<Real> finder(drawing, functions_, with_coordinates_);
  FormulaWriterOver<Real> writer{plain(numbers), drawing, finder, model_, keeps_zeros, leaves_zeros_out_};
  for (const DrawnDriverOver<Real>& driver : drawing.drivers) write(driver, writer);
  for (const Coupling& coupling : model.mechanism.couplings) write(coupling, writer);
  for (const DrawnJointOver<Real>& joint : drawing.joints) write(joint, writer);
  write_forces(model.mechanism, numbers, writer);
  fields::for_each_formula(model_, FunctionScan<FunctionFinderOver<Real>>{finder});
  find_what_slides(model_, finder);
  if (functions_.empty() && says_something(model_)) finder.take_any();
  std::stable_partition(functions_.begin(), functions_.end(),
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
