// 02_from_file: a four-bar linkage, read from a file; a loop is closed by saying where the chain ends.
//
//            C
//          ╱   ╲          A, D: pins on the ground; AB crank, BC coupler, CD rocker
//        B       ╲
//       ╱         ╲       New here: a model file, how it wants to be run, another formulation, a summary.
//      A           D
//
// Usage: 02_from_file [FILE], from the folder that holds models/
#include <cstdio>
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "integration/settings.hpp"
#include "io/toml/model_file.hpp"
#include "results/summary.hpp"
#include "results/trajectory.hpp"
#include "start/initial_conditions.hpp"
#include "system/formulas/equation_system.hpp"

int main(int argc, char** argv) try {
  const maggi::Model model = maggi::read_model(argc > 1 ? argv[1] : "models/four_bar_cut_ground.toml");
  const maggi::Settings settings = maggi::settings(model);  // its [simulation]
  const maggi::EquationSystem system(model);

  for (const std::string formulation : {"augmented", "maggi"}) {
    maggi::Dynamics dynamics(system, formulation);
    const maggi::InitialConditions start = maggi::find_initial_conditions(dynamics, system.start());
    maggi::Trajectory motion(system);
    const maggi::IntegrationResult run = maggi::integrate(dynamics, start.state, motion, settings.integrate);

    const maggi::Summary summary = maggi::summarise(dynamics, run, motion, 0.0);
    std::printf("%s: %s at t = %g s\n", formulation.c_str(), std::string(maggi::outcome_name(summary.outcome)).c_str(), summary.t);
    for (const auto& [name, angle] : summary.q) std::printf("  %-10s %10.5f rad\n", name.c_str(), angle);
    for (const auto& [name, force] : summary.lambda) std::printf("  %-10s %10.4f N\n", name.c_str(), force);
    std::printf("  residuals below 1e-10: %s\n", summary.residual_position < 1e-10 ? "yes" : "no");
  }
} catch (const maggi::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return error.exit_code();
}
