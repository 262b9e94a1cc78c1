// 02_from_file: a four-bar linkage, read from a file; a loop is closed by saying where the chain ends.
//
//            C
//          ╱   ╲          A, D: pins on the ground; AB crank, BC coupler, CD rocker
//        B       ╲
//       ╱         ╲       New here: a model file, its [simulation], another formulation, a summary.
//      A           D
//
// Usage: 02_from_file [FILE], from the folder that holds models/
#include <cstdio>
#include <maggi/maggi.hpp>

int main(int argc, char** argv) try {
  maggi::Model model = maggi::load(argc > 1 ? argv[1] : "models/four_bar_cut_ground.toml");

  for (const std::string formulation : {"augmented", "maggi"}) {
    model.simulation.formulation = formulation;
    const maggi::Motion motion = maggi::Simulation(model).run();  // as its [simulation] says

    const maggi::Summary& summary = motion.summary();
    std::printf("%s: %s at t = %g s\n", formulation.c_str(), std::string(maggi::outcome_name(summary.outcome)).c_str(),
                summary.t);
    for (const auto& [name, angle] : summary.q) std::printf("  %-10s %10.5f rad\n", name.c_str(), angle);
    for (const auto& [name, force] : summary.lambda) std::printf("  %-10s %10.4f N\n", name.c_str(), force);
    std::printf("  residuals below 1e-10: %s\n", summary.residual_position < 1e-10 ? "yes" : "no");
  }
} catch (const maggi::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return error.exit_code();
}
