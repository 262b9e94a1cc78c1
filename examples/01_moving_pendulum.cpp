// 01_moving_pendulum: a pendulum whose pivot slides freely along a guide. The model is written here, no file is read.
//
//      x2 ↑         ● mass centre
//         │       ╱
//         │     ╱ rho
//         │   ╱ ) x3
//     ────┼──○───────────── guide → x1
//
// New here: a model as a value, a start that satisfies the constraint, a motion, the force of the guide.
// models/moving_pendulum.toml is the same model as a file. Example: [Blajer1993, sec. 6].
#include <cstdio>
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "results/trajectory.hpp"
#include "start/initial_conditions.hpp"
#include "system/formulas/equation_system.hpp"

int main() {
  maggi::Model model;
  model.parameters = {{"m", 2.0}, {"J", 0.5}, {"rho", 0.8}, {"g", 9.81}};
  model.coordinates = {{.name = "x1", .start = 0.0, .speed = 0.5},
                       {.name = "x2"},  // found from the guide
                       {.name = "x3", .start = 0.4, .speed = 1.5}};
  model.kinetic = "m/2*(x1'^2 + x2'^2) + J/2*x3'^2";  // ' is d/dt
  model.potential = "m*g*x2";
  model.constraints = {{.name = "guide", .formula = "x2 = rho*sin(x3)"}};

  const maggi::EquationSystem system(model);  // derives M, h, C, γ
  maggi::Dynamics dynamics(system);           // v̇ and λ, by the formulation that fits
  const maggi::InitialConditions start = maggi::find_initial_conditions(dynamics, system.start());
  maggi::Trajectory motion(system);
  const maggi::IntegrationResult run = maggi::integrate(dynamics, start.state, motion, {.until = 1.0, .output = 0.2});

  std::printf("%d degrees of freedom, %s\n\n", dynamics.freedom(),
              std::string(maggi::outcome_name(run.outcome)).c_str());
  std::printf("%6s %10s %10s %10s %12s\n", "t", "x1", "x2", "x3", "lambda");
  for (std::size_t i = 0; i < motion.size(); ++i)
    std::printf("%6.2f %10.6f %10.6f %10.6f %12.6g\n", motion(i, 0), motion(i, *motion.find("x1")),
                motion(i, *motion.find("x2")), motion(i, *motion.find("x3")), motion(i, *motion.find("lambda.guide")));
}
