#pragma once
#include <string>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "io/toml/model_file.hpp"
#include "results/multipliers.hpp"
#include "results/trajectory.hpp"
#include "start/initial_conditions.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::support {

/// A point mass on a rod, with whatever a test adds to its constraints and outputs.
inline Model pendulum(const std::string& more_constraints = "", const std::string& outputs = "") {
  return parse_model(R"toml(
[coordinates]
x = { start = 0.6, speed = 0.0, unit = "m" }
y = { guess = -0.8, unit = "m" }
[energy]
kinetic = "x'^2 + y'^2"
potential = "2*9.81*y"
[constraint]
rod = { position = "x^2 + y^2 = 1", unit = "m^2" }
)toml" + more_constraints +
                         "\n[output]\n" + outputs,
                     "pendulum.toml");
}

/// A system on the way from its start.
struct Motion {
  EquationSystem system;
  Dynamics dynamics{system};
  InitialConditions start = find_initial_conditions(dynamics, system.start());

  explicit Motion(const Model& model) : system(model) {}

  Sample sample() const { return {start.state, start.acceleration, start.residuals}; }
  UniqueForces unique() { return find_unique_forces(dynamics, start.state); }
  Matrix undetermined() { return undetermined_multipliers(dynamics, start.state); }
};

}  // namespace maggi::support
