#include "sweep/run_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "maggi/expert/parse.hpp"
#include "start/start_attempt.hpp"

namespace maggi::sweep {

namespace {

using expression::Id;

/// The formulas of a model over its parameters, where those that vary are variables.
class Reader {
 public:
  Reader(const Model& model, const Design& design) {
    for (const Axis& axis : design.axes()) variables.push_back(graph.variable(axis.name()));
    for (const TableFile& file : model.tables) scope_.declare_table(file.name, file.table);
    for (const Parameter& parameter : model.parameters) {
      const Id* varied = variable(design, parameter.name);
      outputs.push_back(varied ? *varied : (*this)(parameter.value));
      scope_.declare(parameter.name, outputs.back());
    }
  }

  Id operator()(const Formula& formula) { return expression::parse(formula.text, graph, scope_, formula.where); }
  bool varies(const Formula& formula) { return graph[(*this)(formula)].op != expression::Op::constant; }

  /// Of an axis; none if the quantity does not vary.
  const Id* variable(const Design& design, const std::string& name) const {
    const auto axis = std::ranges::find(design.axes(), name, &Axis::name);
    return axis == design.axes().end() ? nullptr : &variables[axis - design.axes().begin()];
  }

  expression::Graph graph;
  std::vector<Id> variables, outputs;

 private:
  expression::Scope scope_;
};

/// Does the simulation, or the time of a measure, differ from run to run?
bool settings_vary(Reader& read, const SimulationSettings& given, const std::vector<Measure>& measures) {
  for (const auto* number : {&given.from, &given.until, &given.output, &given.rtol, &given.atol, &given.step})
    if (*number && read.varies(**number)) return true;
  return std::ranges::any_of(given.stabilisation, [&](const Formula& f) { return read.varies(f); }) ||
         std::ranges::any_of(measures,
                             [&](const Measure& m) { return m.kind == Measure::Kind::at && read.varies(m.time); });
}

}  // namespace

std::optional<RunNumbers> RunNumbers::read(const Model& model, const Design& design,
                                           const std::vector<Measure>& measures, const Start& start) {
  if (integration::gives_forces(start)) return std::nullopt;
  Reader read(model, design);
  if (settings_vary(read, model.simulation, measures)) return std::nullopt;

  RunNumbers result;
  result.start_ = start;
  result.parameters_ = model.parameters.size();
  const auto place = [&](Id id, bool speed, std::size_t coordinate, double Start::Value::*member) {
    if (read.graph[id].op == expression::Op::constant) return;  // as in run 0
    result.places_.push_back({read.outputs.size(), speed, static_cast<int>(coordinate), member});
    read.outputs.push_back(id);
  };
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const Coordinate& c = model.coordinates[i];
    const auto value = [&](const std::optional<Formula>& given, const std::optional<Formula>& guess,
                           const std::optional<Formula>& weight, const std::string& name, bool speed) {
      if (const Id* varied = read.variable(design, name))
        place(*varied, speed, i, &Start::Value::value);
      else if (guess || given)
        place(read(guess ? *guess : *given), speed, i, &Start::Value::value);
      if (weight) place(read(*weight), speed, i, &Start::Value::weight);
    };
    value(c.start, c.guess, c.weight, c.name, false);
    value(c.speed, c.speed_guess, c.speed_weight, c.name + "'", true);
  }
  result.tape_ = expression::Tape(read.graph, read.variables, {}, read.outputs);
  return result;
}

RunNumbers::Values RunNumbers::values() const {
  Values values{std::vector<double>(parameters_), start_, std::vector<double>(tape_.slots())};
  tape_.prepare({}, values.scratch);
  return values;
}

bool RunNumbers::fill(const Design& design, std::uint64_t run, Values& values) const {
  for (std::size_t i = 0; i < design.axes().size(); ++i)
    values.scratch[i] = design.value(run, i) + 0.0;  // a zero has no sign, as in formulas
  tape_.run(values.scratch);
  const auto output = [&](std::size_t k) { return values.scratch[tape_.output(k)]; };
  for (std::size_t k = 0; k < tape_.outputs(); ++k)
    if (!std::isfinite(output(k))) return false;
  for (std::size_t k = 0; k < parameters_; ++k) values.parameters[k] = output(k);
  for (const Place& place : places_) {
    Start::Value& value = (place.speed ? values.start.v : values.start.q)[place.coordinate];
    value.*place.member = output(place.output);
    if (!(value.weight > 0.0)) return false;
  }
  return true;
}

}  // namespace maggi::sweep
