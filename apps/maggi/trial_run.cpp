#include "trial_run.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"

namespace maggi::app {

namespace {

constexpr double part_of_run = 1.0 / 64;

/// Ends a trial that has seen enough.
class Counter final : public Sink {
 public:
  Counter(const Dynamics& dynamics, long most) : dynamics_(dynamics), most_(most) {}

  void accept(const Sample& sample) override { pass(sample.state); }
  bool follows() const override { return true; }
  void pass(const State& /*state*/) override {
    if (dynamics_.evaluations() >= most_) enough = true;
  }

  std::atomic<bool> enough = false;

 private:
  const Dynamics& dynamics_;
  long most_;
};

}  // namespace

double expected_evaluations(AtStart& at, const Settings& settings, long most) {
  IntegrateOptions options = settings.integrate;
  const State& start = at.start().state;
  const double whole = options.until - start.t;
  if (options.integrator == "rk4" && options.step > 0.0) return 4.0 * whole / options.step;
  try {
    Dynamics dynamics(at.system(), settings.formulation, settings.basis);
    dynamics.set_mode(at.start().mode);
    dynamics.decide_rows(start);
    const long before = dynamics.evaluations();
    Counter counter(dynamics, before + most);
    options.until = start.t + part_of_run * whole;
    options.interrupt = &counter.enough;
    const IntegrationResult run = integrate(dynamics, start, counter, options);
    const bool useful = run.outcome == Outcome::reached_end || run.outcome == Outcome::interrupted;
    const double passed = run.t - start.t;
    return useful && passed > 0.0 ? static_cast<double>(dynamics.evaluations() - before) * whole / passed : 0.0;
  } catch (const Error&) { return 0.0; }  // the run itself will say so
}

}  // namespace maggi::app
