// A stranger's program: the first part is the example of README.md, word for word (tests/architecture/check_readme.py);
// the second uses what drags in each library that maggi itself is linked with.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "integration/integrate.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "system/formulas/equation_system.hpp"

namespace {

struct Last : maggi::Sink {
  maggi::Vector q;
  void accept(const maggi::Sample& sample) override { q = sample.state.q; }
};

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

  const maggi::EquationSystem system(model);  // derives and compiles M, h, C, γ
  maggi::Dynamics dynamics(system, "auto");   // or the formulation by name
  const auto start = maggi::find_initial_conditions(dynamics, system.start());
  // start.state: q, v, t;  start.acceleration: v̇, λ, Cᵀλ

  // held at (−1, 0) by a level rod: free fall, no reaction; exact up to rounding
  bool fine = check(std::abs(start.acceleration.vdot(1) + 9.81) < 1e-13, "start");

  Last explicit_last, implicit_last;
  maggi::integrate(dynamics, start.state, explicit_last, {.until = 0.5});
  const auto integrators = maggi::available_integrators();
  const bool has_cvode = std::ranges::find(integrators, "cvode-bdf") != integrators.end();
  maggi::integrate(dynamics, start.state, implicit_last,
                   {.until = 0.5, .integrator = has_cvode ? "cvode-bdf" : "radau5"});
  // two methods at rtol 1e-8: their errors add up over a hundred steps or so
  fine &= check((explicit_last.q - implicit_last.q).norm() < 1e-5, "two integrators");

  const maggi::Model read = maggi::parse_model(maggi::write_model(model), "model.toml");
  fine &= check(read.constraints.size() == 1 && read.constraints[0].name == "rod", "model file");
  return fine ? 0 : 1;
}
