#include "system/derive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "maggi/base/names.hpp"
#include "maggi/expression/derivative.hpp"
#include "maggi/expression/expand.hpp"
#include "maggi/expression/parse.hpp"
#include "maggi/expression/tape.hpp"
#include "system/derive_controls.hpp"
#include "system/derive_drawing.hpp"
#include "system/derive_events.hpp"
#include "system/derive_laws.hpp"
#include "system/derive_powers.hpp"
#include "system/equal_everywhere.hpp"
#include "system/what_changes_energy.hpp"

namespace maggi {

namespace {

using expression::Derivative;
using expression::Id;
using expression::Scope;

class Derivation {
 public:
  Derivation(const Model& model, const Numbers& numbers, Shape& shape)
      : model_(model),
        numbers_(numbers),
        shape_(shape),
        g_(e_.graph),
        parse_([this](const Formula& formula, Reach reach, const std::string& what) {
          return parse(formula, reach, what);
        }),
        laws_(model, numbers, shape, e_, parse_) {}

  DerivedEquations run() {
    declare_names();
    define();
    locate();
    if (model_.mass.empty())
      dynamics_from_energies();
    else
      dynamics_from_matrices();
    add_generalised_forces();
    derive_constraints();
    laws_.derive(
        [this](const GeneralisedForce& force, const std::string& what) { return coordinate_index(force, what); });
    e_.F = columns(model_.reactions, "reaction", shape_.forces);
    e_.B = columns(model_.controls, "control", shape_.controls);
    derive_controls(model_, e_);
    find_patterns();
    derive_outputs();
    derive_powers(shape_, e_);
    derive_events(model_, parse_, shape_, e_);
    derive_drawing(model_.drawing, parse_, shape_, e_);
    shape_.energy_changes = what_changes_energy(model_, numbers_, shape_, e_);
    return std::move(e_);
  }

 private:
  struct Definition {
    std::string name;
    Id id;
    Reach reach;
  };

  // --- names -------------------------------------------------------------------------------------------------------

  void declare_names() {
    if (model_.mechanism.given())
      throw Error(Errc::model, {model_.file}, "the model has bodies: its equations do not come from formulas",
                  "make_system() makes the system of any model");
    if (model_.coordinates.empty())
      throw Error(Errc::model, {model_.file}, "the model has no coordinates",
                  "add [coordinates] with x = { start = 0 }");
    shape_.title = model_.title;
    std::vector<std::pair<std::string, Where>> taken;
    for (const Parameter& p : model_.parameters) {
      taken.emplace_back(p.name, p.where);  // checked by Numbers
      e_.parameters.push_back(g_.variable(p.name));
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
    for (const maggi::Definition& d : model_.definitions) {
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
    std::vector<std::pair<std::string, Where>> forces;
    laws_.declare_names(forces);
    n_ = shape_.nq();
  }

  void declare_point(const LocalPoint& point, std::vector<std::pair<std::string, Where>>& taken) {
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

  /// The names a formula of this reach may use; the others are known, with the reason why they may not stand here.
  Scope scope(Reach reach, const std::string& what) const {
    Scope scope;
    const std::string not_here = what + " cannot contain ";
    for (std::size_t i = 0; i < model_.parameters.size(); ++i)
      scope.declare(model_.parameters[i].name, e_.parameters[i]);
    scope.declare("t", e_.t);
    for (const TableFile& file : model_.tables) scope.declare_table(file.name, file.table);
    for (int i = 0; i < n_; ++i) {
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
    for (const Definition& d : definitions_) {
      if (d.reach <= reach)
        scope.declare(d.name, d.id);
      else
        scope.forbid(d.name,
                     not_here + "\"" + d.name + "\", which contains " +
                         (d.reach == Reach::velocity ? "velocities" : "accelerations"),
                     "");
    }
    for (std::size_t i = defined_; i < model_.definitions.size(); ++i) {
      const std::string& name = model_.definitions[i].name;
      if (i == defined_)
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
        if (shape_.rows[i].kind != RowKind::sticking) declare_multiplier(scope, shape_.rows[i], e_.lambda[i]);
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

  static void declare_multiplier(Scope& scope, const Row& row, Id lambda) {
    if (row.kind != RowKind::servo)
      scope.declare("lambda." + row.name, lambda);
    else
      scope.forbid("lambda." + row.name, fmt::format("the servo constraint \"{}\" has no multiplier", row.name),
                   "a control keeps it: use control.F, whatever its name is");
  }

  static std::string velocity_help(const std::string& what) {
    return what.starts_with("position constraint") ? "a constraint on velocities is written velocity = \"...\"" : "";
  }
  static std::string acceleration_help(const std::string& what) {
    return what.find("constraint") != std::string::npos
               ? "a constraint on accelerations is written acceleration = \"...\""
               : "";
  }

  Id parse(const Formula& formula, Reach reach, const std::string& what) {
    const auto read = reach == Reach::law ? expression::parse_equation : expression::parse;
    return read(formula.text, g_, scope(reach, what), formula.where);
  }

  /// Definitions may use those above them; name' and name'' are their time derivatives.
  void define() {
    Derivative total(g_, along(true));
    for (const maggi::Definition& d : model_.definitions) {
      declare_with_primes(d.name, parse(d.formula, Reach::acceleration, fmt::format("definition \"{}\"", d.name)),
                          total);
      ++defined_;
    }
  }

  void declare_with_primes(const std::string& name, Id id, Derivative& total) {
    Definition definition{name, id, reach_of(id)};
    for (int primes = 0; primes <= 2; ++primes) {
      definitions_.push_back(definition);
      if (definition.reach == Reach::acceleration) break;
      definition.name += "'";
      definition.id = total(definition.id);
      definition.reach = reach_of(definition.id);
    }
  }

  /// Local coordinates are definitions that are functions of the configuration, x = g(q), with J = ∂g/∂q.
  void locate() {
    for (const PointCoordinate& c : shape_.local) {
      e_.local.x.push_back(g_.variable(c.name));
      e_.local.v.push_back(g_.variable(c.name + "'"));
      e_.local.a.push_back(g_.variable(c.name + "''"));
    }
    Derivative total(g_, along(true));
    std::vector<Derivative> by_q = by(e_.q);
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

  Reach reach_of(Id id) const {
    if (g_.depends_on(id, e_.a)) return Reach::acceleration;
    return g_.depends_on(id, e_.v) ? Reach::velocity : Reach::position;
  }

  /// Seeds of d/dt along the motion: q̇ = v, ṫ = 1, and v̇ = a or, at fixed velocities, v̇ = 0.
  std::vector<std::pair<Id, Id>> along(bool with_acceleration) {
    std::vector<std::pair<Id, Id>> seeds{{e_.t, g_.constant(1.0)}};
    for (int i = 0; i < n_; ++i) {
      seeds.emplace_back(e_.q[i], e_.v[i]);
      if (with_acceleration) seeds.emplace_back(e_.v[i], e_.a[i]);
    }
    return seeds;
  }

  std::vector<Derivative> by(const std::vector<Id>& variables) {
    std::vector<Derivative> derivatives;
    derivatives.reserve(variables.size());
    for (const Id x : variables) derivatives.emplace_back(g_, std::vector<std::pair<Id, Id>>{{x, g_.constant(1.0)}});
    return derivatives;
  }

  // --- dynamics ----------------------------------------------------------------------------------------------------

  /// M and the forces of inertia that a kinetic energy has.
  struct Inertia {
    std::vector<Id> M, h;  // lower triangle; ∂T/∂q_i − d/dt|_v ∂T/∂v_i
    Id momentum_times_v;
  };

  Inertia inertia(Id T) {
    std::vector<Derivative> by_q = by(e_.q), by_v = by(e_.v);
    Derivative fixed_v(g_, along(false));
    Inertia result{{}, {}, g_.constant(0.0)};
    for (int i = 0; i < n_; ++i) {
      const Id p = by_v[i](T);
      result.momentum_times_v = g_.add(result.momentum_times_v, g_.multiply(e_.v[i], p));
      for (int j = 0; j <= i; ++j) result.M.push_back(mass_entry(by_v[j](p), i, j));
      result.h.push_back(g_.subtract(by_q[i](T), fixed_v(p)));
    }
    return result;
  }

  /// The same, multiplied out: sines and cosines of points that move on circles mostly cancel.
  Inertia expanded_inertia(Id T) {
    Inertia result = inertia(expression::expand_trigonometric(g_, T, e_.parameters));
    for (Id& entry : result.M) entry = expression::expand_trigonometric(g_, entry, e_.parameters);
    for (Id& force : result.h) force = expression::expand_trigonometric(g_, force, e_.parameters);
    return result;
  }

  std::size_t instructions(const Inertia& inertia) const {
    std::vector<Id> inputs = e_.q, outputs = inertia.M;
    inputs.insert(inputs.end(), e_.v.begin(), e_.v.end());
    inputs.push_back(e_.t);
    outputs.insert(outputs.end(), inertia.h.begin(), inertia.h.end());
    return expression::Tape(g_, inputs, e_.parameters, outputs).instructions();
  }

  void dynamics_from_energies() {
    const Id T = parse(model_.kinetic, Reach::velocity, "the kinetic energy");
    const Id V =
        model_.potential.empty() ? g_.constant(0.0) : parse(model_.potential, Reach::position, "the potential energy");
    Inertia as_written = inertia(T);
    Inertia expanded = expanded_inertia(T);
    Inertia& chosen = instructions(expanded) < instructions(as_written) ? expanded : as_written;
    std::vector<Derivative> by_q = by(e_.q);
    e_.M = std::move(chosen.M);
    for (int i = 0; i < n_; ++i) e_.h.push_back(g_.subtract(chosen.h[i], by_q[i](V)));
    e_.kinetic = T;
    e_.potential = V;
    e_.total = g_.add(g_.subtract(as_written.momentum_times_v, T), V);
    shape_.has_energy = true;
  }

  Id mass_entry(Id entry, int i, int j) const {
    if (g_.depends_on(entry, e_.v))
      throw Error(
          Errc::model, model_.kinetic.where,
          i == j ? fmt::format("the kinetic energy is not quadratic in the velocity {}'", model_.coordinates[i].name)
                 : fmt::format("the kinetic energy is not quadratic in the velocities {}' and {}'",
                               model_.coordinates[i].name, model_.coordinates[j].name),
          "T may contain velocities to the second power at most; other forces go to [generalised_force]");
    return entry;
  }

  void dynamics_from_matrices() {
    Id twice_T = g_.constant(0.0);
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j <= i; ++j) {
        const Id lower = parse(model_.mass[i][j], Reach::position, "the mass matrix");
        const Id upper = parse(model_.mass[j][i], Reach::position, "the mass matrix");
        if (lower != upper && !equal_everywhere(lower, upper, numbers_, e_))
          throw Error(Errc::model, model_.mass[i][j].where,
                      fmt::format("the mass matrix is not symmetric: entries [{}, {}] and [{}, {}] differ", i + 1,
                                  j + 1, j + 1, i + 1),
                      "M v̇ = h + Cᵀλ needs M = Mᵀ");
        e_.M.push_back(lower);
        const Id term = g_.multiply(lower, g_.multiply(e_.v[i], e_.v[j]));
        twice_T = g_.add(twice_T, i == j ? term : g_.multiply(g_.constant(2.0), term));
      }
      e_.h.push_back(parse(model_.force[i], Reach::velocity, "the force"));
    }
    e_.kinetic = e_.total = g_.multiply(g_.constant(0.5), twice_T);
    e_.potential = g_.constant(0.0);
  }

  int coordinate_index(const GeneralisedForce& force, const std::string& what) const {
    std::vector<std::string> names;
    for (const Coordinate& c : model_.coordinates) names.push_back(c.name);
    const auto found = std::find(names.begin(), names.end(), force.coordinate);
    if (found == names.end())
      throw Error(Errc::model, force.where,
                  fmt::format("{} acts on \"{}\", but no coordinate has this name", what, force.coordinate),
                  suggest_name(force.coordinate, names));
    return static_cast<int>(found - names.begin());
  }

  /// Their power, and what the energy changes by itself: d/dt(v·∂T/∂v − T + V) = Q·v − ∂(T − V)/∂t.
  void add_generalised_forces() {
    Derivative by_t(g_, {{e_.t, g_.constant(1.0)}});
    e_.power = g_.subtract(by_t(e_.potential), by_t(e_.kinetic));
    for (const GeneralisedForce& force : model_.generalised_forces) {
      const int i = coordinate_index(force, "a generalised force");
      const Id Q = parse(force.formula, Reach::velocity, fmt::format("the force on \"{}\"", force.coordinate));
      e_.h[i] = g_.add(Q, e_.h[i]);
      e_.power = g_.add(e_.power, g_.multiply(Q, e_.v[i]));
    }
  }

  /// A matrix whose columns say what a unit of each force does to the coordinates, row by row; and its channels.
  template <class Force>  // with a name, a unit, and what it acts along
  std::vector<Id> columns(const std::vector<Force>& forces, const char* kind, std::vector<Channel>& channels) {
    std::vector<std::pair<std::string, Where>> taken;
    laws_.declare_names(taken);
    const std::size_t count = forces.size();
    std::vector<Id> matrix(n_ * count, g_.constant(0.0));
    for (std::size_t j = 0; j < count; ++j) {
      const Force& force = forces[j];
      const std::string what = fmt::format("{} \"{}\"", kind, force.name);
      check_name(force.name, kind, force.where, taken);
      taken.emplace_back(force.name, force.where);
      for (const GeneralisedForce& part : force.along)
        matrix[coordinate_index(part, what) * count + j] = parse(part.formula, Reach::velocity, what);
      channels.push_back({force.name, force.unit, force.where});
    }
    return matrix;
  }

  // --- constraints -------------------------------------------------------------------------------------------------

  /// The derivatives that rows are made of; they share what they have in common.
  struct Rules {
    std::vector<Derivative> by_q, by_v, by_a;
    Derivative fixed_v, total;
  };

  void derive_constraints() {
    Rules rules{by(e_.q), by(e_.v), by(e_.a), Derivative(g_, along(false)), Derivative(g_, along(true))};
    for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
      for (const Constraint& c : model_.constraints) {
        if (c.level != level) continue;
        const Id formula = constraint_formula(c);
        Row row{.name = c.name,
                .owner = c.owner.empty() ? c.name : c.owner,
                .component = c.component,
                .unit = c.unit,
                .level = level,
                .where = c.where};
        row.kind = c.servo ? RowKind::servo : RowKind::ideal;
        row.active_at_start = c.active;
        row.hidden = c.hidden;
        read_one_sided(c, row);
        check_acts(c, add_row(row, formula, rules), formula);
        derive_in_local_coordinates(c);
      }
      if (level != Level::velocity) continue;
      for (const SlidingSpeed& sliding : laws_.sliding_speeds()) {
        add_row(sliding.row, sliding.speed, rules);
        add_in_local_coordinates(sliding.local.value_or(g_.constant(0.0)), e_.local.v, sliding.local.has_value());
      }
    }
    derive_curvature(rules.by_a);
  }

  /// A row and its gradient.
  std::vector<Id> add_row(Row row, Id formula, Rules& rules) {
    std::vector<Id> entries(n_);
    if (row.level == Level::position) {
      // φ = f_q v + f_t,  C = f_q,  γ = −dφ/dt at fixed v
      const Id phi = rules.fixed_v(formula);
      for (int j = 0; j < n_; ++j) entries[j] = rules.by_q[j](formula);
      e_.f.push_back(formula);
      e_.phi.push_back(phi);
      e_.gamma.push_back(g_.negate(rules.fixed_v(phi)));
      ++shape_.s_p;
    } else if (row.level == Level::velocity) {
      for (int j = 0; j < n_; ++j) entries[j] = rules.by_v[j](formula);
      e_.phi.push_back(formula);
      e_.gamma.push_back(g_.negate(rules.fixed_v(formula)));
      row.nonlinear = any_depends(entries, e_.v);
      ++shape_.s_v;
    } else {
      // γ = C v̇ − ψ, the linearisation at v̇; at v̇ = 0 it is −ψ(q, v, 0, t), exact if ψ is affine in v̇
      Id gamma = g_.negate(formula);
      for (int j = 0; j < n_; ++j) {
        entries[j] = rules.by_a[j](formula);
        gamma = g_.add(gamma, g_.multiply(entries[j], e_.a[j]));
      }
      e_.psi.push_back(formula);
      e_.gamma.push_back(gamma);
      row.nonlinear = any_depends(entries, e_.a);
      ++shape_.s_a;
    }
    for (const Id entry : entries) {
      e_.C.push_back(entry);
      e_.Cdot.push_back(rules.total(entry));
    }
    if (g_.depends_on(formula, {e_.t})) shape_.rheonomic = true;
    shape_.rows.push_back(row);
    e_.lambda.push_back(g_.variable("lambda." + row.name));
    return entries;
  }

  Id constraint_formula(const Constraint& c) const { return constraint_formula(c, constraint_scope(c)); }
  Id constraint_formula(const Constraint& c, const Scope& names) const {
    const Id left = expression::parse_equation(c.formula.text, g_, names, c.formula.where);
    if (c.equals.empty()) return left;
    return g_.subtract(left, expression::parse(c.equals.text, g_, names, c.equals.where));
  }

  /// A one-sided row is switched on by what it stops.
  void read_one_sided(const Constraint& c, Row& row) const {
    if (!c.one_sided) {
      if (!c.restitution.empty())
        throw Error(Errc::model, c.restitution.where,
                    fmt::format("constraint \"{}\" has a restitution but nothing can leave it", c.name),
                    "one_sided = true lets it be left in one direction");
      return;
    }
    if (c.level != Level::position || c.servo || !c.active)
      throw Error(Errc::model, c.where,
                  fmt::format("constraint \"{}\" is one-sided and {}", c.name,
                              c.servo                      ? "servo"
                              : c.level != Level::position ? "not on positions"
                                                           : "switched by events"),
                  "what is one-sided is a position = \"...\" that must not become negative, and switches itself");
    row.one_sided = true;
    row.active_at_start = false;
    if (!c.restitution.empty())
      row.restitution = numbers_(c.restitution, fmt::format("the restitution of \"{}\"", c.name));
    if (!(row.restitution >= 0.0 && row.restitution <= 1.0))
      throw Error(Errc::model, c.restitution.where,
                  fmt::format("the restitution of \"{}\" is {:.6g}", c.name, row.restitution),
                  "0: nothing comes back from an impact, 1: all of the speed");
  }
  static Reach reach_of(Level level) {
    return level == Level::position   ? Reach::position
           : level == Level::velocity ? Reach::velocity
                                      : Reach::acceleration;
  }
  Scope constraint_scope(const Constraint& c) const {
    return scope(reach_of(c.level), fmt::format("{} constraint \"{}\"", level_name(c.level), c.name));
  }

  /// Ĉ of a row: by x, ẋ or ẍ, whichever its level contains.
  void derive_in_local_coordinates(const Constraint& c) {
    if (shape_.local.empty()) return;
    DerivedEquations::Local& local = e_.local;
    Scope names = constraint_scope(c);
    for (int i = 0; i < shape_.nx(); ++i) {
      const std::string& name = shape_.local[i].name;
      names.declare(name, local.x[i]);
      if (c.level >= Level::velocity) names.declare(name + "'", local.v[i]);
      if (c.level >= Level::acceleration) names.declare(name + "''", local.a[i]);
    }
    const Id formula = constraint_formula(c, names);
    add_in_local_coordinates(
        formula,
        c.level == Level::position   ? local.x
        : c.level == Level::velocity ? local.v
                                     : local.a,
        !g_.depends_on(formula, e_.q) && !g_.depends_on(formula, e_.v) && !g_.depends_on(formula, e_.a));
  }

  void add_in_local_coordinates(Id formula, const std::vector<Id>& variables, bool complete) {
    if (shape_.local.empty()) return;
    for (Derivative& derivative : by(variables)) e_.local.C.push_back(derivative(formula));
    e_.local.complete.push_back(complete);
  }

  /// A constraint must contain what it constrains.
  void check_acts(const Constraint& c, const std::vector<Id>& entries, Id formula) const {
    const bool acts = std::any_of(entries.begin(), entries.end(), [&](Id e) { return !g_.is_zero(e); });
    if (acts) return;
    std::string help = "use a coordinate in it, or delete it";
    if (c.level == Level::acceleration && g_.depends_on(formula, e_.v)) help = "write velocity = \"...\"";
    if (c.level != Level::position && !g_.depends_on(formula, e_.v) && g_.depends_on(formula, e_.q))
      help = "write position = \"...\"";
    const char* missing = c.level == Level::position   ? "coordinate"
                          : c.level == Level::velocity ? "velocity"
                                                       : "acceleration";
    throw Error(
        Errc::model, c.formula.where,
        fmt::format("{} constraint \"{}\" constrains nothing: it contains no {}", level_name(c.level), c.name, missing),
        help);
  }

  bool any_depends(const std::vector<Id>& entries, const std::vector<Id>& variables) const {
    return std::any_of(entries.begin(), entries.end(), [&](Id e) { return g_.depends_on(e, variables); });
  }

  /// Σ_a λ_a ∂²ψ_a/∂v̇_i∂v̇_j over the acceleration rows, lower triangle.
  void derive_curvature(std::vector<Derivative>& by_a) {
    const int first = shape_.s_p + shape_.s_v;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j <= i; ++j) {
        Id sum = g_.constant(0.0);
        for (int row = first; row < shape_.m(); ++row)
          sum = g_.add(sum, g_.multiply(e_.lambda[row], by_a[j](e_.C[row * n_ + i])));
        e_.curvature.push_back(sum);
      }
  }

  // --- shape -------------------------------------------------------------------------------------------------------

  void find_patterns() {
    Derivative fixed_v(g_, along(false));
    for (const Id entry : e_.M) e_.Mdot.push_back(fixed_v(entry));
    shape_.M = {.rows = n_, .cols = n_, .symmetric = true, .row = {}, .col = {}};
    for (int i = 0, k = 0; i < n_; ++i)
      for (int j = 0; j <= i; ++j, ++k)
        if (i == j || !g_.is_zero(e_.M[k]) || !g_.is_zero(e_.curvature[k])) shape_.M.add(i, j);
    shape_.C = pattern(e_.C, n_);
    shape_.J = pattern(e_.J, n_);
    shape_.F = pattern(e_.F, static_cast<int>(shape_.forces.size()));
    shape_.T = pattern(e_.T, static_cast<int>(shape_.laws.size()));
    shape_.B = pattern(e_.B, static_cast<int>(shape_.controls.size()));
  }

  /// Where a matrix, given row by row, is not zero everywhere.
  Pattern pattern(const std::vector<Id>& entries, int cols) const {
    Pattern result{.rows = cols > 0 ? static_cast<int>(entries.size()) / cols : n_,
                   .cols = cols,
                   .symmetric = false,
                   .row = {},
                   .col = {}};
    for (int i = 0, k = 0; i < result.rows; ++i)
      for (int j = 0; j < cols; ++j, ++k)
        if (!g_.is_zero(entries[k])) result.add(i, j);
    return result;
  }

  void derive_outputs() {
    for (const Output& o : model_.outputs) {
      e_.outputs.push_back(parse(o.formula, Reach::output, fmt::format("output \"{}\"", o.name)));
      shape_.outputs.push_back({o.name, o.unit, o.formula.where});
    }
  }

  const Model& model_;
  const Numbers& numbers_;
  Shape& shape_;
  DerivedEquations e_;
  expression::Graph& g_;
  ParseFormula parse_;
  LawDerivation laws_;
  std::vector<Definition> definitions_;
  std::size_t defined_ = 0;  // definitions of the model read so far
  int n_ = 0;
};

}  // namespace

DerivedEquations derive_equations(const Model& model, const Numbers& numbers, Shape& shape) {
  return Derivation(model, numbers, shape).run();
}

}  // namespace maggi
