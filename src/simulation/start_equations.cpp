#include "simulation/start_equations.hpp"

#include <fmt/format.h>

#include "dynamics/dynamics.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "system/formulas/readable.hpp"

namespace maggi {

namespace {

Equations equations_at(Dynamics& dynamics, const InitialConditions& start) {
  const Shape& shape = dynamics.shape();
  const Acceleration& a = start.acceleration;
  const auto workspace = dynamics.system().workspace();
  Workspace& w = *workspace;
  w.terms.J.resize(shape.J.size());
  dynamics.system().acceleration(start.state, w);
  if (shape.s_a > 0) dynamics.system().nonlinear_rows(start.state, a.vdot.data(), a.lambda.data(), w);
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

}  // namespace

StartEquations::StartEquations(Simulation& simulation, const std::string& basis_name)
    : shape(simulation.system().shape()),
      start(simulation.start()),
      equations(equations_at(simulation.dynamics(), start)),
      basis(basis_of(equations, basis_name)) {
  if (const auto* formulas = dynamic_cast<const EquationSystem*>(&simulation.system())) {
    derived = readable(formulas->derived());
    complement = closed_form(*derived, *basis);
  }
}

}  // namespace maggi
