// A stranger's program: the first part is the example of README.md, word for word (tests/architecture/check_readme.py);
// the second uses what drags in each library that maggi itself is linked with.
#include <cmath>
#include <cstdio>

#include <maggi/maggi.hpp>

namespace {

bool check(bool fine, const char* what) {
  std::printf("%s: %s\n", what, fine ? "fine" : "wrong");
  return fine;
}

}  // namespace

int main() {
  maggi::Model model;
  model.coordinates = {{.name = "x", .guess = -1.0}, {.name = "y", .start = 0.0, .speed = 0.0}};
  model.kinetic = "1/2*(x'^2 + y'^2)";
  model.potential = "9.81*y";
  model.constraints = {{.name = "rod", .formula = "x^2 + y^2 = 1"}};

  maggi::Simulation simulation(model);
  const maggi::Motion motion = simulation.run({.until = 0.5});
  for (const double force : motion["lambda.rod"]) std::printf("%g\n", force);

  // held at (−1, 0) by a level rod: free fall, no reaction; exact up to rounding
  bool fine = check(std::abs(motion["y''"].front() + 9.81) < 1e-13, "start");

  const maggi::InitialConditions& start = simulation.start();
  const maggi::HiddenConstraints& hidden = simulation.hidden_constraints();
  fine &= check(start.residuals.position < 1e-12 && start.mode.rows.size() == 1 && hidden.found.empty(),
                "consistent start");  // the projection ends at 1e-13 (1 + |q|)

  const maggi::Motion implicit = simulation.run({.until = 0.5, .integrator = maggi::Integrator::radau5});
  // two methods at rtol 1e-8: their errors add up over a hundred steps or so
  fine &= check(std::abs(motion["x"].back() - implicit["x"].back()) < 1e-5, "two integrators");

  maggi::Run run = simulation.begin({.until = 0.5});
  while (run.advance(run.t() + 0.1)) {}
  fine &= check(std::abs(run["x"] - motion["x"].back()) < 1e-5, "step by step");

  const maggi::Comparison compared = simulation.compare({.formulations = {"augmented", "null-space"}, .run = false});
  fine &= check(compared.rows.size() == 2 && compared.rows[0].disagreement.empty(), "two formulations");

  model.simulation.until = maggi::Formula(0.1);
  const maggi::Sweep sweep(maggi::Simulation(model), {.over = {"y'=0:0.1:0.2"}, .keep = {"max(y)"}});
  fine &= check(maggi::run_all(sweep).count() == 3, "sweep");

  const maggi::Model read = maggi::load_text(maggi::to_toml(model), "model.toml");
  fine &= check(read.constraints.size() == 1 && read.constraints[0].name == "rod", "model file");
  return fine ? 0 : 1;
}
