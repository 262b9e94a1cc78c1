#include "system/formulas/derive_names.hpp"

#include <fmt/format.h>

#include "maggi/error.hpp"
#include "model/numbers.hpp"
#include "system/formulas/derive_rules.hpp"

namespace maggi {

using expression::Derivative;
using expression::Id;
using expression::Scope;

ModelNames::ModelNames(const Model& model, UnconstrainedEquations& known)
    : model_(model), shape_(known.shape), e_(known.equations), g_(known.equations.graph), known_(known) {}

void ModelNames::declare() {
  if (model_.mechanism.given())
    throw Error(Errc::model, {model_.file}, "the model has bodies: its equations do not come from formulas",
                "make_system() makes the system of any model");
  shape_.title = model_.title;
  std::vector<std::pair<std::string, Where>> taken;
  for (const Parameter& p : model_.parameters) {
    taken.emplace_back(p.name, p.where);  // checked by Numbers
    e_.parameters.push_back(g_.variable(p.name));
    shape_.parameters.push_back({p.name, p.unit, p.where});
  }
  for (const Coordinate& c : model_.coordinates) {
    if (!c.measured) check_name(c.name, "coordinate", c.where, taken);
    taken.emplace_back(c.name, c.where);
    e_.q.push_back(g_.variable(c.name));
    shape_.coordinates.push_back({c.name, c.unit, c.where});
  }
  for (const Coordinate& c : model_.coordinates) {
    e_.v.push_back(g_.variable(c.name + "'"));
    shape_.velocities.push_back({c.name + "'", c.unit.empty() ? "" : c.unit + "/s", c.where});
  }
  for (const Coordinate& c : model_.coordinates) e_.a.push_back(g_.variable(c.name + "''"));
  e_.t = g_.variable("t");
  for (const Definition& d : model_.definitions) {
    check_name(d.name, "definition", d.where, taken);
    taken.emplace_back(d.name, d.where);
  }
  for (const LocalPoint& point : model_.points) declare_point(point, taken);
  std::vector<std::pair<std::string, Where>> constraints;
  for (const Constraint& c : model_.constraints) {
    if (c.owner.empty()) check_name(c.name, "constraint", c.where, constraints);
    constraints.emplace_back(c.name, c.where);
  }
  for (const Output& o : model_.outputs) {
    if (!o.measured) check_name(o.name, "output", o.where, taken);
    taken.emplace_back(o.name, o.where);
  }
}

void ModelNames::declare_point(const LocalPoint& point, std::vector<std::pair<std::string, Where>>& taken) {
  check_name(point.name, "local point", point.where, taken);
  if (point.name == "lambda" || point.name == "force" || point.name == "control")
    throw Error(Errc::model, point.where,
                fmt::format("\"{}\" cannot be the name of a local point: {}", point.name,
                            point.name == "lambda"  ? "lambda.guide is a multiplier"
                            : point.name == "force" ? "force.drag is the force of a law"
                                                    : "control.F is a control"),
                "choose another one, for example \"A\"");
  taken.emplace_back(point.name, point.where);
  if (point.coordinates.empty())
    throw Error(Errc::model, point.where, fmt::format("the local point \"{}\" has no coordinates", point.name),
                fmt::format("write {} = {{ x = \"...\", y = \"...\" }}", point.name));
  std::vector<std::pair<std::string, Where>> components;
  for (const LocalCoordinate& c : point.coordinates) {
    check_name(c.name, "local coordinate", c.where, components);
    components.emplace_back(c.name, c.where);
    shape_.local.push_back({point.name + "." + c.name, point.name, c.name, c.unit, c.where});
  }
}

namespace {

void declare_multiplier(Scope& scope, const Row& row, Id lambda) {
  if (row.has_multiplier())
    scope.declare("lambda." + row.name, lambda);
  else
    scope.forbid("lambda." + row.name, fmt::format("the servo constraint \"{}\" has no multiplier", row.name),
                 "a control keeps it: use control.F, whatever its name is");
}

std::string velocity_help(const std::string& what) {
  return what.starts_with("position constraint") ? "a constraint on velocities is written velocity = \"...\"" : "";
}
std::string acceleration_help(const std::string& what) {
  return what.find("constraint") != std::string::npos
             ? "a constraint on accelerations is written acceleration = \"...\""
             : "";
}

}  // namespace

Scope ModelNames::scope(Reach reach, const std::string& what) const {
  Scope scope;
  const std::string not_here = what + " cannot contain ";
  for (std::size_t i = 0; i < model_.parameters.size(); ++i) scope.declare(model_.parameters[i].name, e_.parameters[i]);
  scope.declare("t", e_.t);
  for (const TableFile& file : model_.tables) scope.declare_table(file.name, file.table);
  for (int i = 0; i < shape_.nq(); ++i) {
    // what has only a rate is called by it
    const std::string& name = model_.coordinates[i].name;
    const std::string velocity = model_.coordinates[i].rate_only ? name : name + "'", acceleration = velocity + "'";
    if (velocity != name) scope.declare(name, e_.q[i]);
    if (reach >= Reach::velocity)
      scope.declare(velocity, e_.v[i]);
    else
      scope.forbid(velocity, not_here + "the velocity " + velocity, velocity_help(what));
    if (reach >= Reach::acceleration)
      scope.declare(acceleration, e_.a[i]);
    else
      scope.forbid(acceleration, not_here + "the acceleration " + acceleration, acceleration_help(what));
  }
  for (const UnconstrainedEquations::Defined& d : known_.definitions) {
    if (d.reach <= reach)
      scope.declare(d.name, d.id);
    else
      scope.forbid(d.name,
                   not_here + "\"" + d.name + "\", which contains " +
                       (d.reach == Reach::velocity ? "velocities" : "accelerations"),
                   "");
  }
  for (std::size_t i = known_.definitions_read; i < model_.definitions.size(); ++i) {
    const std::string& name = model_.definitions[i].name;
    if (i == known_.definitions_read)
      scope.forbid(name, what + " cannot use itself", "");
    else
      scope.forbid(name, fmt::format("{} cannot use \"{}\", which is defined below it", what, name),
                   "definitions use those above them; move it up");
  }
  for (std::size_t i = e_.x.size(); i < shape_.local.size(); ++i)
    scope.forbid(shape_.local[i].name,
                 fmt::format("{} cannot use \"{}\", which is given below it", what, shape_.local[i].name),
                 "[define] comes first, then the points of [local] in their order");
  if (reach == Reach::law || reach == Reach::output) {
    for (std::size_t i = 0; i < e_.lambda.size(); ++i)
      if (shape_.rows[i].of_model()) declare_multiplier(scope, shape_.rows[i], e_.lambda[i]);
    for (std::size_t i = 0; i < e_.tau.size(); ++i) scope.declare("force." + shape_.laws[i].name, e_.tau[i]);
  }
  for (std::size_t i = 0; i < model_.controls.size(); ++i) {
    const std::string name = "control." + model_.controls[i].name;
    if (i < e_.p.size() && reach == Reach::output)
      scope.declare(name, e_.p[i]);
    else
      scope.forbid(name, not_here + "the control " + name + ", which is unknown",
                   "only [output] may use it; a force that follows from a condition with itself in it is a [law]");
  }
  return scope;
}

Id ModelNames::parse(const Formula& formula, Reach reach, const std::string& what) const {
  const auto read = reach == Reach::law ? expression::parse_equation : expression::parse;
  return read(formula.text, g_, scope(reach, what), formula.where);
}

void ModelNames::define() {
  Derivative total(g_, along_motion(e_, true));
  for (const Definition& d : model_.definitions) {
    declare_with_primes(d.name, parse(d.formula, Reach::acceleration, fmt::format("definition \"{}\"", d.name)), total);
    ++known_.definitions_read;
  }
}

void ModelNames::declare_with_primes(const std::string& name, Id id, Derivative& total) {
  UnconstrainedEquations::Defined definition{name, id, reach_of(id)};
  for (int primes = 0; primes <= 2; ++primes) {
    known_.definitions.push_back(definition);
    if (definition.reach == Reach::acceleration) break;
    definition.name += "'";
    definition.id = total(definition.id);
    definition.reach = reach_of(definition.id);
  }
}

void ModelNames::locate() {
  for (const PointCoordinate& c : shape_.local) {
    e_.local.x.push_back(g_.variable(c.name));
    e_.local.v.push_back(g_.variable(c.name + "'"));
    e_.local.a.push_back(g_.variable(c.name + "''"));
  }
  Derivative total(g_, along_motion(e_, true));
  std::vector<Derivative> by_q = derivatives_by(e_.q, g_);
  for (const LocalPoint& point : model_.points)
    for (const LocalCoordinate& c : point.coordinates) {
      const std::string name = point.name + "." + c.name, what = fmt::format("local coordinate \"{}\"", name);
      const Id x = parse(c.formula, Reach::position, what);
      if (g_.depends_on(x, {e_.t}))
        throw Error(Errc::model, c.formula.where, what + " depends on time",
                    "it is a function of the coordinates only; write what moves by itself into the constraint");
      if (!g_.depends_on(x, e_.q))
        throw Error(Errc::model, c.formula.where, what + " contains no coordinate, so it cannot move",
                    "write it as a function of the coordinates; a fixed number is a parameter");
      declare_with_primes(name, x, total);
      e_.x.push_back(x);
      for (Derivative& derivative : by_q) {
        e_.J.push_back(derivative(x));
        e_.Jdot.push_back(total(e_.J.back()));
      }
    }
}

Reach ModelNames::reach_of(Id id) const {
  if (g_.depends_on(id, e_.a)) return Reach::acceleration;
  return g_.depends_on(id, e_.v) ? Reach::velocity : Reach::position;
}

}  // namespace maggi
