#pragma once
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "integration/method/integrators.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "support/source_tree.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {

/// One stored state with all that came along.
struct Stored {
  double t;
  Vector q, v, vdot, lambda;
  Residuals residuals;
};

/// A sink that keeps everything.
class Recording : public Sink {
 public:
  void accept(const Sample& sample) override {
    samples.push_back({sample.state.t, sample.state.q, sample.state.v, sample.acceleration.vdot,
                       sample.acceleration.lambda, sample.residuals});
  }
  const Stored& last() const { return samples.back(); }

  std::vector<Stored> samples;
};

/// A model, ready to move from its consistent start.
struct Motion {
  explicit Motion(const Model& model, std::string_view formulation = "auto")
      : system(model), dynamics(system, formulation), start(find_initial_conditions(dynamics, system.start()).state) {}

  static Model from_file(const std::string& name) { return read_model(source_path("models/" + name + ".toml")); }
  static Model from_text(const std::string& toml) { return parse_model(toml, "test.toml"); }

  IntegrationResult run(const IntegrateOptions& options, Sink& sink) {
    return integrate(dynamics, start, sink, options);
  }

  EquationSystem system;
  Dynamics dynamics;
  State start;
};

/// The integrators that take any system, with the options that each needs to be accurate to about 1e-8.
inline std::vector<IntegrateOptions> every_integrator(double until) {
  std::vector<IntegrateOptions> all;
  for (const IntegratorFacts& integrator : integration::integrators()) {
    if (!integrator.available || integrator.servo_only) continue;
    IntegrateOptions options;
    options.until = until;
    options.rtol = 1e-10;
    options.atol = 1e-12;
    options.integrator = integrator.integrator;
    if (integrator.has_given_step()) options.step = 1e-3;
    if (!integrator.projects) options.drift = Drift::none;
    all.push_back(options);
  }
  return all;
}

}  // namespace maggi::test
