// The equations of motion at one state, as a value.
#include "maggi/equations.hpp"

#include <fmt/format.h>

#include <memory>

#include "basis/closed_form.hpp"
#include "dynamics/dynamics.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/print.hpp"
#include "maggi/simulation.hpp"
#include "simulation/stages.hpp"
#include "system/formulas/readable.hpp"

namespace maggi {

namespace {

using expression::Id;
using PrintFormula = std::string (*)(const expression::Graph&, Id);

/// M, h, C, γ and J of all rows; v̇ and λ of `at` are those at which nonlinear rows are linearised.
Equations dense_equations(const System& system, const State& state, const Acceleration& at) {
  const Shape& shape = system.shape();
  const auto workspace = system.workspace();
  Workspace& w = *workspace;
  w.terms.J.resize(shape.J.size());
  system.acceleration(state, w);
  if (shape.s_a > 0) system.nonlinear_rows(state, at.vdot.data(), at.lambda.data(), w);
  Equations result{Matrix(shape.n(), shape.n()), w.terms.h, Matrix(shape.m(), shape.n()), w.terms.gamma};
  shape.M.scatter(w.terms.M, result.M);
  shape.C.scatter(w.terms.C, result.C);
  result.J.resize(shape.nx(), shape.n());
  shape.J.scatter(w.terms.J, result.J);
  return result;
}

std::unique_ptr<Basis> basis_of(const Equations& equations, const std::string& name) {
  auto basis = make_basis(name, equations.n(), equations.m());
  if (!basis->compute(equations))
    throw Error(Errc::numerics, {}, fmt::format("basis \"{}\" refuses: {}", name, basis->why()),
                "take another one, for example --basis lu");
  return basis;
}

/// Prints the derived equations, entry by entry.
class FormulaWriter {
 public:
  FormulaWriter(const DerivedEquations& derived, PrintFormula print) : derived_(derived), print_(print) {}

  EquationFormulas operator()(int n, int m, const ClosedForm& complement) const {
    EquationFormulas result;
    result.M = matrix(n, n, [&](int i, int j) {
      const int below = std::max(i, j), left = std::min(i, j);
      return derived_.M[below * (below + 1) / 2 + left];
    });
    result.C = matrix(m, n, [&](int i, int j) { return derived_.C[i * n + j]; });
    result.h = list(derived_.h);
    result.gamma = list(derived_.gamma);
    result.f = list(derived_.f);
    result.phi = list(derived_.phi);
    result.psi = list(derived_.psi);
    if (!complement.why.empty()) return result;
    const int cols = complement.cols;
    result.D = matrix(complement.rows, cols, [&](int i, int j) { return complement.D[i * cols + j]; });
    result.Ddot = matrix(complement.rows, cols, [&](int i, int j) { return complement.Ddot[i * cols + j]; });
    return result;
  }

 private:
  std::string text(Id id) const { return derived_.graph.is_zero(id) ? "0" : print_(derived_.graph, id); }

  std::vector<std::string> list(const std::vector<Id>& ids) const {
    std::vector<std::string> result;
    for (const Id id : ids) result.push_back(text(id));
    return result;
  }
  template <class Entry>
  EquationFormulas::Entries matrix(int rows, int cols, const Entry& entry) const {
    EquationFormulas::Entries result(rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) result[i].push_back(text(entry(i, j)));
    return result;
  }

  const DerivedEquations& derived_;
  PrintFormula print_;
};

void add_formulas(const EquationSystem& system, const Basis& basis, EquationsOfMotion& result) {
  DerivedEquations derived = readable(system.derived());
  const ClosedForm complement = closed_form(derived, basis);
  const int n = system.shape().n(), m = system.shape().m();
  result.formulas = FormulaWriter(derived, expression::print)(n, m, complement);
  result.latex = FormulaWriter(derived, expression::print_latex)(n, m, complement);
  result.why_no_D = complement.why;
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

EquationsOfMotion equations_at(const System& system, const State& state, const Acceleration& at,
                               const EquationsOptions& options) {
  const Shape& shape = system.shape();
  Equations dense = dense_equations(system, state, at);
  const std::unique_ptr<Basis> basis = basis_of(dense, options.basis);
  EquationsOfMotion result;
  result.state = state;
  result.coordinates = names_of(shape.coordinates);
  result.velocities = names_of(shape.identity_rates ? shape.coordinates : shape.velocities);
  result.constraints = names_of(shape.rows);
  result.M = std::move(dense.M);
  result.h = std::move(dense.h);
  result.C = std::move(dense.C);
  result.gamma = std::move(dense.gamma);
  result.basis = basis->name();
  result.D = basis->D();
  if (!options.formulas) return result;
  if (const auto* formulas = dynamic_cast<const EquationSystem*>(&system)) add_formulas(*formulas, *basis, result);
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

/// v̇ and λ at a state, with what is in force at the start. A Dynamics of its own, so that the rank decision of the
/// start stays where it is.
Acceleration solution_at(const System& system, const State& state, const Mode& mode) {
  Dynamics dynamics(system);
  dynamics.set_mode(mode);
  dynamics.decide_rows(state);
  Acceleration result;
  if (!dynamics.solve(state, result)) throw Error(Errc::numerics, {}, dynamics.explain(state));
  return result;
}

}  // namespace

EquationsOfMotion Simulation::equations(const EquationsOptions& options) {
  const InitialConditions& at = start();
  EquationsOfMotion result = equations_at(system(), at.state, at.acceleration, options);
  result.title = title();
  return result;
}

EquationsOfMotion Simulation::equations(const State& state, const EquationsOptions& options) {
  const Shape& shape = system().shape();
  check_size(shape, state);
  Acceleration at;  // only nonlinear rows need it
  if (shape.s_a > 0) at = solution_at(system(), state, start().mode);
  EquationsOfMotion result = equations_at(system(), state, at, options);
  result.title = title();
  return result;
}

}  // namespace maggi
