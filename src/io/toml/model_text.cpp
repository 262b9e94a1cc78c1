#include <fmt/format.h>

#include "integration/settings.hpp"
#include "io/toml/mechanism_file.hpp"
#include "io/toml/model_file.hpp"
#include "io/toml/toml_text.hpp"
#include "model/validate.hpp"

namespace maggi {

namespace {

using io::Braces;
using io::in_quotes;
using io::key_of;
using io::list;
using io::Section;
using io::value_of;

std::string list(const std::vector<Reference>& references) {
  std::vector<std::string> names;
  for (const Reference& reference : references) names.push_back(in_quotes(reference.name));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string text_of(const Constraint& constraint) {
  Braces braces;
  braces.add(level_name(constraint.level), constraint.formula).unit(constraint.unit);
  braces.flag("servo", constraint.servo).flag("hidden", constraint.hidden);
  braces.flag("one_sided", constraint.one_sided);
  if (!constraint.restitution.empty()) braces.add("restitution", constraint.restitution);
  if (!constraint.active) braces.add("active", std::string("false"));
  return braces.text();
}

std::string text_of(const Friction& friction) {
  Braces braces;
  if (!friction.on.empty()) braces.add("on", list(friction.on));
  braces.add("coefficient", friction.coefficient).add("stiction", friction.stiction);
  if (!friction.along.empty()) braces.add("along", list(friction.along));
  return braces.add("normal", friction.normal).text();
}

std::string text_of(const Event& event) {
  Braces braces;
  braces.add("when", value_of(event.when));
  if (event.crossing != Crossing::any)
    braces.add("crossing", std::string(event.crossing == Crossing::rising ? "\"rising\"" : "\"falling\""));
  if (!event.switch_on.empty()) braces.add("switch_on", list(event.switch_on));
  if (!event.switch_off.empty()) braces.add("switch_off", list(event.switch_off));
  if (event.stop) braces.add("stop", std::string("true"));
  return braces.text();
}

/// A formula, and its unit where it has one.
std::string value_with_unit(std::string_view key, const Formula& formula, const std::string& unit) {
  return unit.empty() ? value_of(formula) : Braces().add(key, formula).unit(unit).text();
}

/// What a unit of a force does to each coordinate.
std::string directions(const std::vector<GeneralisedForce>& along) {
  Braces braces;
  for (const GeneralisedForce& part : along) braces.add(key_of(part.coordinate), value_of(part.formula));
  return braces.text();
}

/// A force by what a unit of it does, and its unit.
template <class Force>
std::string force_along(const Force& force) {
  return Braces().add("along", directions(force.along)).unit(force.unit).text();
}

Section dynamics(const Model& model) {
  if (model.mass.empty() && model.force.empty()) {
    Section energy("energy");
    if (!model.kinetic.empty()) energy.add("kinetic", value_of(model.kinetic));
    if (!model.potential.empty()) energy.add("potential", value_of(model.potential));
    return energy;
  }
  std::vector<std::string> rows;
  for (const std::vector<Formula>& row : model.mass) rows.push_back(list(row));
  Section equations("equations");
  equations.add("mass", fmt::format("[{}]", fmt::join(rows, ", ")));
  equations.add("force", list(model.force));
  return equations;
}

Section drawing(const Sketch& given) {
  Section section("drawing");
  for (const Sketch::Point& point : given.points) {
    Braces braces;
    braces.add("point", list(point.at));
    if (point.trace) braces.add("trace", std::string("true"));
    section.add(point.name, braces.text());
  }
  for (const Sketch::Line& line : given.lines)
    section.add(line.name, Braces().add(line.spring ? "spring" : "line", list(line.through)).text());
  for (const Sketch::Circle& circle : given.circles) {
    Braces braces;
    braces.add("circle", in_quotes(circle.about.name)).add("radius", circle.radius);
    if (!circle.axis.empty()) braces.add("axis", list(circle.axis));
    section.add(circle.name, braces.text());
  }
  return section;
}

Section simulation(const SimulationSettings& given) {
  Section section("simulation");
  section.add("from", given.from);
  section.add("until", given.until);
  section.add("output", given.output);
  section.add("rtol", given.rtol);
  section.add("atol", given.atol);
  section.add("step", given.step);
  section.add("formulation", given.formulation);
  section.add("basis", given.basis);
  section.add("integrator", given.integrator);
  section.add("drift", given.drift);
  if (!given.stabilisation.empty()) section.add("stabilisation", list(given.stabilisation));
  section.add("unknowns", given.unknowns);
  section.add("continuity", given.continuity);
  return section;
}

}  // namespace

std::string write_model(const Model& model) {
  validate(model);
  check_names(model);
  Section parameters("parameters"), coordinates("coordinates"), define("define"), local("local"),
      forces("generalised_force"), constraints("constraint"), laws("law"), frictions("friction"), controls("control"),
      events("event"), start_multipliers("start.lambda"), start_reactions("start.reaction"), reactions("reaction"),
      outputs("output");
  for (const Parameter& p : model.parameters) parameters.add(p.name, value_with_unit("value", p.value, p.unit));
  for (const Coordinate& c : model.coordinates)
    coordinates.add(c.name, Braces()
                                .add("start", c.start)
                                .add("speed", c.speed)
                                .add("acceleration", c.acceleration)
                                .add("guess", c.guess)
                                .add("speed_guess", c.speed_guess)
                                .add("weight", c.weight)
                                .add("speed_weight", c.speed_weight)
                                .unit(c.unit)
                                .text());
  for (const Definition& d : model.definitions) define.add(d.name, value_of(d.formula));
  for (const LocalPoint& point : model.points) {
    Braces coordinates_of;
    for (const LocalCoordinate& c : point.coordinates)
      coordinates_of.add(key_of(c.name), value_with_unit("formula", c.formula, c.unit));
    local.add(point.name, coordinates_of.text());
  }
  for (const GeneralisedForce& f : model.generalised_forces) forces.add(f.coordinate, value_of(f.formula));
  for (const Constraint& c : model.constraints) constraints.add(c.name, text_of(c));
  for (const Event& e : model.events) events.add(e.name, text_of(e));
  for (const Control& control : model.controls) controls.add(control.name, force_along(control));
  for (const StartForce& f : model.start_multipliers) start_multipliers.add(f.name, value_of(f.value));
  for (const StartForce& f : model.start_reactions) start_reactions.add(f.name, value_of(f.value));
  for (const Law& law : model.laws)
    laws.add(law.name, Braces().add("along", directions(law.along)).add("law", law.formula).unit(law.unit).text());
  for (const Friction& friction : model.frictions) frictions.add(friction.name, text_of(friction));
  for (const ReactionForce& force : model.reactions) reactions.add(force.name, force_along(force));
  for (const Output& o : model.outputs) outputs.add(o.name, value_with_unit("formula", o.formula, o.unit));

  std::string text = model.title.empty() ? "" : fmt::format("title = {}\n", in_quotes(model.title));
  text += io::mechanism_head(model.mechanism) + parameters.text() + io::mechanism_tables(model.mechanism);
  for (const Section& section :
       {coordinates, define, local, dynamics(model), forces, constraints, laws, frictions, controls, events,
        start_multipliers, start_reactions, reactions, outputs, drawing(model.drawing), simulation(model.simulation)})
    text += section.text();
  return text;
}

}  // namespace maggi
