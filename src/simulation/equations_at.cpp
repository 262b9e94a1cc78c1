// The equations of motion at one state, as a value.
#include <fmt/format.h>

#include <memory>

#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/simulation.hpp"
#include "model/numbers.hpp"
#include "results/multipliers.hpp"
#include "simulation/equation_formulas.hpp"
#include "simulation/solved_state.hpp"
#include "simulation/stages.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi {

namespace {

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

template <class Items>
std::vector<std::string> names_of(const Items& items, const std::vector<int>& some) {
  std::vector<std::string> names;
  for (const int i : some) names.push_back(items[i].name);
  return names;
}

/// The terms of the rows in force at one state, as matrices.
class TermsInForce {
 public:
  TermsInForce(const System& system, const SolvedState& at, const InForce& in_force)
      : system_(system), shape_(system.shape()), at_(at), rows_(shape_, in_force.rows), workspace_(system.workspace()) {
    ask_for_J(shape_, workspace_->terms);
  }

  /// M, h, C, γ and J; T and B as they are in the terms then.
  void evaluate(Equations& equations, Vector& f) {
    Workspace& w = *workspace_;
    system_.position(at_.state, w);
    f = w.terms.f;
    system_.acceleration(at_.state, w);
    equations.h = w.terms.h;
    scatter(shape_.M, w.terms.M, equations.M);
    scatter(shape_.J, w.terms.J, equations.J);
    scatter(shape_.T, w.terms.T, T);
    scatter(shape_.B, w.terms.B, B);
    if (shape_.s_a > 0)
      system_.nonlinear_rows(at_.state, at_.acceleration.vdot.data(), at_.acceleration.lambda.data(), w);
    select(w.terms.C, equations.C);
    equations.gamma.resize(rows_.size());
    rows_.vector(w.terms.gamma, equations.gamma);
  }

  /// Ṁ, Ċ and J̇ along the motion.
  Rates rates() {
    Workspace& w = *workspace_;
    system_.rates(at_.state, at_.acceleration.vdot.data(), w);
    Rates result;
    scatter(shape_.M, w.terms.Mdot, result.M);
    scatter(shape_.J, w.terms.Jdot, result.J);
    select(w.terms.Cdot, result.C);
    return result;
  }

  Matrix T, B;  ///< all columns, after evaluate()

 private:
  static void scatter(const Pattern& pattern, const Vector& values, Matrix& dense) {
    dense.resize(pattern.rows, pattern.cols);
    pattern.scatter(values, dense);
  }
  void select(const Vector& packed, Matrix& C) const {
    C.resize(rows_.size(), shape_.n());
    rows_.matrix(packed, C);
  }

  const System& system_;
  const Shape& shape_;
  const SolvedState& at_;
  RowSelection rows_;
  std::unique_ptr<Workspace> workspace_;
};

std::unique_ptr<Basis> basis_of(const Equations& equations, const std::string& name) {
  auto basis = make_basis(name, equations.n(), equations.m());
  if (!basis->compute(equations))
    throw Error(Errc::numerics, {}, fmt::format("basis \"{}\" refuses: {}", name, basis->why()),
                "take another one, for example --basis lu");
  return basis;
}

/// Why λ of a row in force is no number of its own; empty if it is one.
std::string why_no_lambda(const Shape& shape, const SolvedState& at, int row) {
  if (const std::string_view why = facts_of(shape.rows[row].kind).no_lambda; !why.empty()) return std::string(why);
  return at.open.cols() == 0 || at.open.row(row).isZero(0.0) ? "" : "not unique";
}

/// Ḋ for the choices of the basis, or why there is none.
void add_rate(const Shape& shape, const InForce& in_force, TermsInForce& terms, const Basis& basis,
              EquationsOfMotion& result) {
  for (const int row : in_force.rows)
    if (const Row& r = shape.rows[row]; r.level == Level::acceleration && r.nonlinear) {
      result.why_no_Ddot =
          fmt::format("\"{}\" is nonlinear in the accelerations, so that Ḋ contains their derivative", r.name);
      return;
    }
  if (!basis.rate(terms.rates(), result.Ddot)) {
    result.Ddot = {};
    result.why_no_Ddot = fmt::format("the columns of basis \"{}\" may turn from one state to the next", basis.name());
  }
}

void add_names(const Shape& shape, const InForce& in_force, EquationsOfMotion& result) {
  result.coordinates = names_of(shape.coordinates);
  result.velocities = names_of(shape.identity_rates ? shape.coordinates : shape.velocities);
  result.constraints = names_of(shape.rows, in_force.rows);
  result.laws = names_of(shape.laws, in_force.laws);
  result.controls = names_of(shape.controls);
}

void add_solution(const Shape& shape, const InForce& in_force, const SolvedState& at, EquationsOfMotion& result) {
  const Acceleration& a = at.acceleration;
  result.vdot = a.vdot;
  result.lambda = a.lambda(in_force.rows);
  result.tau = Vector::Zero(static_cast<Eigen::Index>(in_force.laws.size()));
  if (a.tau.size() > 0) result.tau = a.tau(in_force.laws);
  result.p = a.p;
  for (int i = 0; i < static_cast<int>(shape.controls.size()); ++i)
    if (at.open.cols() > 0 && !at.open.row(shape.m() + i).isZero(0.0))
      result.open_controls.push_back(shape.controls[i].name);
  for (const int row : in_force.rows) result.no_lambda.push_back(why_no_lambda(shape, at, row));
}

EquationsOfMotion equations_at(const System& system, const SolvedState& at, const EquationsOptions& options) {
  const Shape& shape = system.shape();
  check_basis(options.basis, shape);
  const InForce in_force(shape, at.mode);
  TermsInForce terms(system, at, in_force);
  Equations dense;
  Vector f;
  terms.evaluate(dense, f);
  const std::unique_ptr<Basis> basis = basis_of(dense, options.basis);
  EquationsOfMotion result;
  result.state = at.state;
  add_names(shape, in_force, result);
  add_solution(shape, in_force, at, result);
  result.not_in_force = list_not_in_force(shape, at.mode, f);
  result.M = std::move(dense.M);
  result.h = std::move(dense.h);
  result.C = std::move(dense.C);
  result.gamma = std::move(dense.gamma);
  result.T = terms.T(Eigen::all, in_force.laws);
  result.B = std::move(terms.B);
  result.basis = basis->name();
  result.D = basis->D();
  add_rate(shape, in_force, terms, *basis, result);
  if (!options.formulas) return result;
  if (const auto* formulas = dynamic_cast<const EquationSystem*>(&system))
    write_formulas(*formulas, in_force, at.mode, *basis, result);
  return result;
}

/// Error if it is no state of this system.
void check_size(const Shape& shape, const State& state) {
  const auto check = [](const char* what, Eigen::Index has, int needs) {
    if (has != needs)
      throw Error(Errc::model, {}, fmt::format("the state has {} {}, but the system has {}", has, what, needs),
                  "begin with the state of start(), and change its entries");
  };
  check("coordinates", state.q.size(), shape.nq());
  check("velocities", state.v.size(), shape.n());
}

/// The state of a run at a time, with what is in force there.
Run::Snapshot reach(Simulation& simulation, double t) {
  const InitialConditions& start = simulation.start();
  if (!(t >= start.state.t))
    throw Error(
        Errc::model, {},
        fmt::format("the equations are asked for at t = {:.9g} s, but the run begins at {:.9g} s", t, start.state.t),
        "take a later time");
  if (t == start.state.t) return {start.state, start.mode, 0.0, {}};
  Run run = simulation.begin({.until = t, .output = t - start.state.t});
  run.advance(t);
  if (run.t() != t)
    throw Error(Errc::numerics, {},
                fmt::format("the run ends at t = {:.9g} s, before t = {:.9g} s: {}", run.t(), t,
                            run.explanation().empty() ? std::string(outcome_name(run.outcome())) : run.explanation()),
                "take an earlier time");
  return run.snapshot();
}

std::vector<NamedValue> values_of(const std::vector<std::pair<std::string, Formula>>& formulas, const Model& model) {
  const Numbers numbers(model);
  std::vector<NamedValue> values;
  for (const auto& [name, formula] : formulas)
    values.push_back({name, numbers(formula, fmt::format("the value of \"{}\"", name)), formula.where});
  return values;
}

}  // namespace

EquationsOfMotion Simulation::equations(const EquationsOptions& options) {
  const InitialConditions& at = start();
  SolvedState solved{at.state, at.mode, at.acceleration, undetermined_multipliers(dynamics(), at.state)};
  if (options.at) {
    const Run::Snapshot reached = reach(*this, *options.at);
    solved = solve_at(system(), reached.state, reached.mode);
  }
  if (!options.state.empty()) solved = solve_changed(system(), solved, values_of(options.state, model()));
  EquationsOfMotion result = equations_at(system(), solved, options);
  result.title = title();
  return result;
}

EquationsOfMotion Simulation::equations(const State& state, const EquationsOptions& options) {
  if (options.at || !options.state.empty())
    throw Error(Errc::model, {}, "a state and options that choose one are given",
                "leave out EquationsOptions::at and state");
  check_size(system().shape(), state);
  EquationsOfMotion result =
      equations_at(system(), solve_at(system(), state, mode_at(system(), state, start().mode)), options);
  result.title = title();
  return result;
}

}  // namespace maggi
