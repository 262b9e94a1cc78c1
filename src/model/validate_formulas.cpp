#include "model/validate_formulas.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "model/check_blank.hpp"
#include "model/numbers.hpp"
#include "model/refuse.hpp"

namespace maggi {

namespace {

/// Names that stand in one table of a file: each once.
class Names {
 public:
  void claim(const std::string& name, const Where& where) {
    const auto [same, is_new] = taken_.emplace(name, where);
    if (is_new) return;
    const std::string place = same->second.text();
    refuse(where, fmt::format("the name \"{}\" is already taken{}", name, place.empty() ? "" : " at " + place),
           "every name means one thing: choose another one");
  }
  template <class Part>
  void claim(const std::vector<Part>& parts) {
    for (const Part& part : parts) claim(part.name, part.where);
  }

 private:
  std::unordered_map<std::string, Where> taken_;
};

/// A formula that has to be there.
void need(const Formula& formula, const std::string& label, const Where& where, const std::string& what,
          const std::string& help) {
  if (formula.empty()) refuse(where, fmt::format("{} {}", label, what), help);
  check_not_blank(formula, label);
}
void need(const Formula& formula, const std::string& label, const Where& where) {
  need(formula, label, formula.where.line > 0 ? formula.where : where, "is empty",
       "write a formula or remove the line");
}

void check(const Parameter& p) {
  need(p.value, p.name, p.where, "has no value", fmt::format("write {} = {{ value = 1.0, unit = \"...\" }}", p.name));
}

/// What the library notes in the models that it writes itself.
void refuse_measured(bool marked, const std::string& label, const Where& where) {
  if (marked)
    refuse(where, label + " is marked as an output function of a mechanism",
           "leave measured and rate_only out: they belong to what the library derives from bodies and joints");
}

void check(const Coordinate& c) {
  refuse_measured(c.measured || c.rate_only, c.name, c.where);
  const std::string help = "the first is kept as it is, the second is where the search begins: remove one of them";
  if (c.start && c.guess) refuse(c.where, c.name + " has both start and guess", help);
  if (c.speed && c.speed_guess) refuse(c.where, c.name + " has both speed and speed_guess", help);
  const std::string no_use = "a value that is given never changes: write it as a guess, or remove its weight";
  if (c.start && c.weight) refuse(c.where, c.name + " has both start and weight", no_use);
  if (c.speed && c.speed_weight) refuse(c.where, c.name + " has both speed and speed_weight", no_use);
  check_blank(c, c.name);
}

void check(const LocalPoint& point) {
  Names names;
  names.claim(point.coordinates);
  for (const LocalCoordinate& c : point.coordinates)
    need(c.formula, point.name + "." + c.name, c.where, "has no formula",
         fmt::format("write {} = {{ formula = \"...\", unit = \"...\" }}", c.name));
}

void check(const Constraint& c) {
  need(c.formula, c.name, c.where, "has no formula",
       "write position = \"...\", velocity = \"...\" or acceleration = \"...\"");
  check_blank(c, c.name);
}

void check(const Friction& f) {
  // inside its constraint it has no name of its own
  const bool inside = f.on.size() == 1 && f.on.front().name == f.name && f.on.front().where.line > 0 &&
                      f.on.front().where.text() == f.where.text();
  const std::string label = inside ? f.name + ".friction" : f.name;
  if (f.on.empty() && !f.normal)
    refuse(f.where, label + " does not say on which constraint it is", "add on = \"guide\"");
  need(f.coefficient, label, f.where, "has no coefficient", "add coefficient = 0.3");
  check_blank(f, label);
}

void check(const Event& e) {
  need(e.when, e.name, e.where, "has no formula",
       fmt::format("write {} = {{ when = \"...\", switch_on = [\"...\"] }}, or at = ... for a time", e.name));
}

void check(const Output& o) {
  refuse_measured(o.measured, o.name, o.where);
  need(o.formula, o.name, o.where, "has no formula",
       fmt::format("write {} = {{ formula = \"...\", unit = \"...\" }}", o.name));
}

/// Each coordinate once: a second force on it would replace the first.
void check_along(const std::vector<GeneralisedForce>& along, const std::string& name) {
  std::unordered_map<std::string, Where> seen;
  for (const GeneralisedForce& part : along) {
    if (!seen.emplace(part.coordinate, part.where).second)
      refuse(part.where, fmt::format("{} acts on \"{}\" twice", name, part.coordinate), "add the two formulas up");
    need(part.formula, fmt::format("{}.{}", name, part.coordinate), part.where);
  }
}

template <class Force>
void check_force_along(const Force& force) {
  if (force.along.empty())
    refuse(force.where, force.name + " has no direction",
           fmt::format("write {} = {{ along = {{ x = 1, y = \"...\" }}, unit = \"N\" }}", force.name));
  check_along(force.along, force.name);
}
void check(const Control& control) { check_force_along(control); }
void check(const ReactionForce& force) { check_force_along(force); }

void check(const Law& law) {
  const std::string example =
      fmt::format("write {} = {{ along = {{ x = 1 }}, law = \"force.{} = ...\" }}", law.name, law.name);
  if (law.along.empty()) refuse(law.where, law.name + " has no direction", example);
  need(law.formula, law.name, law.where, "has no law", example);
  check_along(law.along, law.name);
}

void check(const std::vector<StartForce>& forces, const std::string& kind) {
  std::unordered_map<std::string, Where> seen;
  for (const StartForce& force : forces) {
    const std::string label = fmt::format("{}.{}", kind, force.name);
    if (!seen.emplace(force.name, force.where).second)
      refuse(force.where, label + " is given twice at the start", "keep one of them");
    need(force.value, label, force.where);
  }
}

void check(const Sketch& drawing) {
  Names names;
  names.claim(drawing.points);
  names.claim(drawing.lines);
  names.claim(drawing.circles);
  for (const Sketch::Point& point : drawing.points) check_blank(point, point.name);
  for (const Sketch::Circle& circle : drawing.circles) {
    need(circle.radius, circle.name, circle.where, "has no radius",
         fmt::format("write {} = {{ circle = \"{}\", radius = 0.1 }}", circle.name, circle.about.name));
    check_blank(circle, circle.name);
  }
}

/// Every part by its own rules, and its name once in its table.
template <class Part>
void check_each(const std::vector<Part>& parts) {
  Names names;
  names.claim(parts);
  for (const Part& part : parts) check(part);
}

}  // namespace

void validate_formulas(const Model& model) {
  check_each(model.parameters);
  check_each(model.coordinates);
  Names definitions;
  definitions.claim(model.definitions);
  for (const Definition& d : model.definitions) need(d.formula, d.name, d.where);
  check_each(model.points);
  check_not_blank(model.kinetic, "kinetic");
  check_not_blank(model.potential, "potential");
  for (const std::vector<Formula>& row : model.mass)
    for (const Formula& entry : row) need(entry, "mass", {model.file});
  for (const Formula& entry : model.force) need(entry, "force", {model.file});
  check_along(model.generalised_forces, "generalised_force");
  check_each(model.constraints);
  check_each(model.controls);
  check_each(model.laws);
  check_each(model.frictions);
  check_each(model.events);
  check_each(model.reactions);
  check(model.start_multipliers, "lambda");
  check(model.start_reactions, "reaction");
  check_each(model.outputs);
  check_blank(model.simulation, "");
  check(model.drawing);
}

}  // namespace maggi
