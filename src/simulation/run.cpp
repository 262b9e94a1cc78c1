// A run under way: integrate() from one asked time to the next, with the mode and the step size that it had.
#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "integration/integrate.hpp"
#include "results/multipliers.hpp"
#include "simulation/stages.hpp"

namespace maggi {

struct Run::Inside final : Sink {
  Inside(const Simulation::Stages& stages, const Settings& settings, const Matrix& undetermined, Reactions reactions)
      : system(stages.system),
        dynamics(*system, settings.formulation, settings.basis),
        options(settings.integrate),
        until(options.until),
        here(*system, undetermined, reactions),
        state(stages.start.state),
        mode(stages.start.mode) {
    dynamics.set_mode(mode);
    dynamics.decide_rows(state);
    here.accept({state, stages.start.acceleration, stages.start.residuals, &mode});
  }

  void accept(const Sample& sample) override {
    state = sample.state;
    if (sample.mode) mode = *sample.mode;
    here.clear();
    here.accept(sample);
  }
  bool follows() const override { return here.follows(); }
  void pass(const State& at) override { here.pass(at); }

  std::shared_ptr<const System> system;
  Dynamics dynamics;
  IntegrateOptions options;
  double until;
  Trajectory here;  ///< the present state
  State state;
  Mode mode;
  IntegrationResult result{};
  bool ended = false;
};

Run::Run(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Run::~Run() = default;
Run::Run(Run&& other) noexcept = default;
Run& Run::operator=(Run&& other) noexcept = default;

bool Run::advance(double t) {
  Inside& run = *inside_;
  if (run.ended) return false;
  const double to = std::min(t, run.until);
  if (to > run.state.t) {
    run.options.until = to;
    run.options.output = to - run.state.t;
    run.dynamics.set_mode(run.mode);
    run.dynamics.decide_rows(run.state);
    const State from = run.state;
    std::vector<EventRecord> before = std::move(run.result.events);
    try {
      run.result = integrate(run.dynamics, from, run, run.options);
    } catch (const Error& error) {
      if (error.code() != Errc::numerics) throw;
      run.result.outcome = Outcome::failed;
      run.result.explanation = error.what();
    }
    run.result.events.insert(run.result.events.begin(), before.begin(), before.end());
    // the next part begins with the step that this one ended with; a fixed step stays what it is
    const bool fixed_step = run.options.integrator == "rk4" || run.options.integrator == "projected-bdf";
    if (!fixed_step && run.result.statistics.largest_step > 0.0)
      run.options.step = std::min(run.result.statistics.largest_step, run.options.max_step);
  }
  run.ended = run.result.outcome != Outcome::reached_end || run.state.t >= run.until;
  return !run.ended;
}

double Run::t() const { return inside_->state.t; }
Outcome Run::outcome() const { return inside_->result.outcome; }
const std::string& Run::explanation() const { return inside_->result.explanation; }
const std::vector<EventRecord>& Run::events() const { return inside_->result.events; }

double Run::operator[](std::string_view channel) const {
  const Trajectory& here = inside_->here;
  if (const std::optional<int> column = here.find(channel)) return here(0, *column);
  std::vector<std::string> names;
  for (const Channel& each : here.channels()) names.push_back(each.name);
  throw Error(Errc::model, {}, fmt::format("the run has no channel named \"{}\"", channel),
              suggest_name(std::string(channel), names));
}

Run Simulation::begin(const RunOptions& options) {
  Stages& s = *stages_;
  const Settings settings = s.settings(options);
  s.begin();
  return Run(std::make_unique<Run::Inside>(s, settings, undetermined_multipliers(*s.dynamics, s.start.state),
                                           options.reactions));
}

}  // namespace maggi
