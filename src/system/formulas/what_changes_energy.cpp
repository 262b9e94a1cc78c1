#include "system/formulas/what_changes_energy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "system/formulas/equal_everywhere.hpp"

namespace maggi {

using expression::Id;

namespace {

/// The power of the reaction is λ φ_v·v, which is λ φ = 0 if φ is linear and homogeneous in v.
bool is_homogeneous(int row, const Numbers& numbers, const DerivedEquations& e) {
  DerivedEquations with_power = e;
  expression::Graph& g = with_power.graph;
  const std::size_t n = e.v.size();
  Id power = g.constant(0.0);
  for (std::size_t j = 0; j < n; ++j) power = g.add(power, g.multiply(e.C[row * n + j], e.v[j]));
  return equal_everywhere(power, e.phi[row], numbers, with_power);
}

}  // namespace

std::string what_changes_energy(const Model& model, const Numbers& numbers, const Shape& shape,
                                const DerivedEquations& e) {
  const expression::Graph& g = e.graph;
  std::vector<std::string> reasons;
  if (!shape.has_energy) reasons.emplace_back("the model gives M and h, not energies");
  if (!model.generalised_forces.empty()) reasons.emplace_back("generalised forces act");
  if (!model.controls.empty()) reasons.emplace_back("controls act");
  if (g.depends_on(e.kinetic, {e.t})) reasons.emplace_back("the kinetic energy depends on time");
  if (g.depends_on(e.potential, {e.t})) reasons.emplace_back("the potential energy depends on time");
  for (const Law& law : model.laws) reasons.push_back(fmt::format("the force of law \"{}\" acts", law.name));
  for (const Friction& friction : model.frictions)
    reasons.push_back(fmt::format("friction \"{}\" takes it", friction.name));
  for (int i = 0; i < shape.m(); ++i) {
    const std::string& name = shape.rows[i].name;
    if (!shape.rows[i].of_model() || !shape.rows[i].has_multiplier())
      continue;  // friction and the controls have been named
    if (i < shape.s_p) {
      if (g.depends_on(e.f[i], {e.t})) reasons.push_back(fmt::format("constraint \"{}\" depends on time", name));
    } else if (i < shape.s_p + shape.s_v) {
      if (shape.rows[i].nonlinear || !is_homogeneous(i, numbers, e))
        reasons.push_back(fmt::format("constraint \"{}\" is not linear and homogeneous in the velocities", name));
    } else {
      reasons.push_back(fmt::format("acceleration constraint \"{}\" may do work", name));
    }
  }
  for (const Row& row : shape.rows)
    if (row.one_sided && row.restitution < 1.0) reasons.push_back(fmt::format("impacts on \"{}\" take it", row.name));
  if (std::ranges::any_of(shape.events, [](const Switch& event) { return !event.on.empty(); }))
    reasons.emplace_back("velocities may jump at events");
  return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace maggi
