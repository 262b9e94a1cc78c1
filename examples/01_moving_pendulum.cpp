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
#include <maggi/maggi.hpp>

int main() {
  maggi::Model model;
  model.parameters = {{"m", 2.0}, {"J", 0.5}, {"rho", 0.8}, {"g", 9.81}};
  model.coordinates = {{.name = "x1", .start = 0.0, .speed = 0.5},
                       {.name = "x2"},  // found from the guide
                       {.name = "x3", .start = 0.4, .speed = 1.5}};
  model.kinetic = "m/2*(x1'^2 + x2'^2) + J/2*x3'^2";  // ' is d/dt
  model.potential = "m*g*x2";
  model.constraints = {{.name = "guide", .formula = "x2 = rho*sin(x3)"}};

  maggi::Simulation simulation(model);  // derives M, h, C, γ and finds the start when they are first needed
  const maggi::Motion motion = simulation.run({.until = 1.0, .output = 0.2});

  std::printf("%d degrees of freedom, %s\n\n", simulation.check().degrees_of_freedom(),
              std::string(maggi::outcome_name(motion.outcome())).c_str());
  std::printf("%6s %10s %10s %10s %12s\n", "t", "x1", "x2", "x3", "lambda");
  for (std::size_t i = 0; i < motion.size(); ++i)
    std::printf("%6.2f %10.6f %10.6f %10.6f %12.6g\n", motion["t"][i], motion["x1"][i], motion["x2"][i],
                motion["x3"][i], motion["lambda.guide"][i]);
}
