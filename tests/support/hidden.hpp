#pragma once
#include "analysis/hidden_constraints.hpp"
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"

namespace maggi::test {

/// All hidden constraints of a model from formulas, looked at from positions and velocities alone: no accelerations are
/// needed, as complete_system() needs them.
inline HiddenConstraints find_hidden_constraints(const Model& model) {
  HiddenConstraints result;
  if (model.mechanism.given()) return result;  // no formulas to derive one from
  Model extended = model;
  while (true) {
    const EquationSystem system(extended);
    Dynamics dynamics(system);
    const std::optional<State> start = find_consistent_state(dynamics, system.start());
    if (!start && !result.found.empty() && result.found.back().cause == HiddenConstraint::Cause::motion)
      result.found.pop_back();
    if (!start || !find_next_hidden_constraint(system, *start, extended, result)) return result;
  }
}

/// The model with them.
inline Model with_hidden_constraints(Model model, const HiddenConstraints& hidden) {
  for (const HiddenConstraint& h : hidden.found) model.constraints.push_back(h.constraint);
  return model;
}

}  // namespace maggi::test
