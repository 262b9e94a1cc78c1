#include "simulation/start_results.hpp"

#include <algorithm>

#include "base/cholesky.hpp"
#include "integration/settings.hpp"
#include "results/physical_forces.hpp"
#include "results/reaction_parts.hpp"
#include "results/reactions.hpp"
#include "results/unique_forces.hpp"

namespace maggi {

namespace {

UniqueForces unique_forces(Simulation& simulation) {
  return UndeterminedForces(simulation.dynamics(), simulation.start().state).unique(simulation.system());
}

NamedValues physical_forces(Simulation& simulation) {
  const Shape& shape = simulation.system().shape();
  if (shape.forces.empty() && shape.local.empty()) return {};
  const InitialConditions& start = simulation.start();
  results::PhysicalForces forces(simulation.system(), unique_forces(simulation));
  std::vector<double> values(forces.channels().size());
  forces.evaluate({start.state, start.acceleration, start.residuals, &start.mode}, values.data());
  NamedValues result;
  for (std::size_t i = 0; i < values.size(); ++i)
    result.emplace_back(forces.channels()[i].name.substr(std::string_view("force.").size()), values[i]);
  return result;
}

}  // namespace

StartResults::StartResults(Simulation& simulation) : forces(physical_forces(simulation)) {
  const SimulationSettings& asked = simulation.model().simulation;
  with_parts = shows(asked, Further::reactions);
  if (with_parts) {
    add_parts(simulation);
    add_lambda_w(simulation);
  }
  if (shows(asked, Further::tangent)) add_tangent(simulation);
}

void StartResults::add_parts(Simulation& simulation) {
  const InitialConditions& start = simulation.start();
  const UniqueForces unique = unique_forces(simulation);
  results::ReactionParts all(simulation.system());
  Vector values;
  all.evaluate(start.state, start.acceleration, values);
  for (std::size_t i = 0; i < all.parts().size(); ++i) {
    const results::ReactionParts::Part& part = all.parts()[i];
    parts.push_back({part.of, part.along, values[static_cast<Eigen::Index>(i)],
                     std::ranges::all_of(part.rows, [&](int row) { return unique.multiplier(row); })});
  }
}

/// With M, h, C and γ of the rows in use.
void StartResults::add_lambda_w(Simulation& simulation) {
  const System& system = simulation.system();
  const Shape& shape = system.shape();
  const InitialConditions& start = simulation.start();
  if (!shape.ideal()) {
    why_no_lambda_w = "there are forces of constraints that are not Cᵀλ";
    return;
  }
  const RowSelection& rows = simulation.dynamics().rows();
  const auto workspace = system.workspace();
  const Terms& terms = workspace->terms;
  system.acceleration(start.state, *workspace);
  if (shape.s_a > 0)
    system.nonlinear_rows(start.state, start.acceleration.vdot.data(), start.acceleration.lambda.data(), *workspace);
  Equations equations{Matrix(shape.n(), shape.n()), terms.h, Matrix(rows.size(), shape.n()), Vector(rows.size())};
  shape.M.scatter(terms.M, equations.M);
  rows.matrix(terms.C, equations.C);
  rows.vector(terms.gamma, equations.gamma);
  Matrix L = equations.M;
  if (!cholesky(L)) {
    why_no_lambda_w = "the mass matrix is singular, so that it is no metric";
    return;
  }
  const ResolvedReactions resolved = resolved_reactions(equations);
  for (int i = 0; i < rows.size(); ++i)
    lambda_w.emplace_back(shape.rows[rows.rows()[static_cast<std::size_t>(i)]].name, resolved.lambda_w[i]);
}

void StartResults::add_tangent(Simulation& simulation) {
  const InitialConditions& start = simulation.start();
  const results::TangentBasis basis{simulation.dynamics().basis(), continuity_of(simulation.model().simulation)};
  const auto motion = std::make_shared<results::TangentMotion>(simulation.system(), basis, start.state, start.mode);
  motion->evaluate(start.state, start.acceleration, start.mode);
  tangent = motion;
}

}  // namespace maggi
