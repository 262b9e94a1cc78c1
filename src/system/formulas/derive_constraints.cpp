#include "system/formulas/derive_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "maggi/expert/parse.hpp"
#include "system/formulas/derive_rules.hpp"
#include "system/formulas/number_rules.hpp"

namespace maggi {

namespace {

using expression::Derivative;
using expression::Id;
using expression::Scope;

class ConstraintDerivation {
 public:
  ConstraintDerivation(const Model& model, const Numbers& numbers, const ModelNames& names, LawDerivation& laws,
                       Shape& shape, DerivedEquations& equations)
      : model_(model),
        numbers_(numbers),
        names_(names),
        laws_(laws),
        shape_(shape),
        e_(equations),
        g_(equations.graph),
        n_(shape.nq()) {}

  void run() {
    Rules rules{derivatives_by(e_.q, g_), derivatives_by(e_.v, g_), derivatives_by(e_.a, g_),
                Derivative(g_, along_motion(e_, false)), Derivative(g_, along_motion(e_, true))};
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

 private:
  /// The derivatives that rows are made of; they share what they have in common.
  struct Rules {
    std::vector<Derivative> by_q, by_v, by_a;
    Derivative fixed_v, total;
  };

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
    row.restitution = restitution(c, numbers_);
  }
  static Reach reach_of(Level level) {
    return level == Level::position   ? Reach::position
           : level == Level::velocity ? Reach::velocity
                                      : Reach::acceleration;
  }
  Scope constraint_scope(const Constraint& c) const {
    return names_.scope(reach_of(c.level), fmt::format("{} constraint \"{}\"", level_name(c.level), c.name));
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
    for (Derivative& derivative : derivatives_by(variables, g_)) e_.local.C.push_back(derivative(formula));
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

  const Model& model_;
  const Numbers& numbers_;
  const ModelNames& names_;
  LawDerivation& laws_;
  Shape& shape_;
  DerivedEquations& e_;
  expression::Graph& g_;
  const int n_;
};

}  // namespace

void derive_constraints(const Model& model, const Numbers& numbers, const ModelNames& names, LawDerivation& laws,
                        Shape& shape, DerivedEquations& equations) {
  ConstraintDerivation(model, numbers, names, laws, shape, equations).run();
}

}  // namespace maggi
