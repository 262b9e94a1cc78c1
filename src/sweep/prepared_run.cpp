#include "sweep/prepared_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/numbers.hpp"
#include "start/initial_conditions.hpp"
#include "sweep/measured.hpp"

namespace maggi::sweep {

namespace {

constexpr double most_states = 1e5;  // stored for the sake of at(...)

/// The largest time of which both are multiples, by Euclid's algorithm; what is below `rounding` is 0.
double common_step(double a, double b, double rounding) {
  while (b > rounding) {
    a = std::exchange(b, std::fmod(a, b));
    if (b > a - rounding) b = 0.0;
  }
  return a;
}

/// The settings of a run, and the times of its measures.
void find_settings(const Model& model, const std::vector<Measure>& measures, RunSettings& run) {
  const Numbers numbers(model);
  run.settings = settings(model, numbers);
  IntegrateOptions& o = run.settings.integrate;
  const double from = model.simulation.from ? numbers(*model.simulation.from, "from") : 0.0;
  const double rounding = same_time * (o.until - from);
  run.times.assign(measures.size(), 0.0);
  double step = 0.0;  // that the times have in common
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (measures[i].kind != Measure::Kind::at) continue;
    const double time = run.times[i] = numbers(measures[i].time, "the time");
    if (!(time >= from && time <= o.until))
      throw Error(Errc::model, {"--keep " + measures[i].text},
                  fmt::format("the run goes from t = {:g} to {:g} s", from, o.until));
    if (time > from + rounding && time < o.until - rounding) step = common_step(step, time - from, rounding);
  }
  const bool on_the_way = std::ranges::any_of(measures, &Measure::on_the_way);
  if (step == 0.0) {
    if (!on_the_way && o.until > from) o.output = o.until - from;
    return;
  }
  if (!(o.until - from < most_states * step))
    throw Error(Errc::model, {"--keep"}, "the times of at(...) have no step in common", "round them, or keep fewer");
  o.output = on_the_way && o.output > 0.0 ? step / std::ceil(step / o.output - same_time) : step;
}

}  // namespace

void set_numbers(Simulation& simulation, const Design& design, std::uint64_t run) {
  for (std::size_t i = 0; i < design.axes().size(); ++i) simulation.set(design.axes()[i].name(), design.value(run, i));
}

PreparedRun prepare(Simulation& simulation, const std::vector<Measure>& measures, const SharedFormulas* shared) {
  PreparedRun run;
  find_settings(simulation.model(), measures, run);
  run.start = simulation.start().state;
  run.system = &simulation.system();
  run.dynamics = &simulation.dynamics();
  const auto* formulas = dynamic_cast<const EquationSystem*>(run.system);
  if (shared && formulas && formulas->shares_with(*shared->system)) run.shared = formulas;
  return run;
}

std::optional<PreparedRun> prepare(const RunNumbers::Values& values, const SharedFormulas& shared) {
  PreparedRun run;
  static_cast<RunSettings&>(run) = *shared.settings;
  run.own_system = std::make_shared<const EquationSystem>(*shared.system, values.parameters, values.start);
  run.own_dynamics = std::make_unique<Dynamics>(*run.own_system, run.settings.formulation, run.settings.basis);
  run.system = run.shared = run.own_system.get();
  run.dynamics = run.own_dynamics.get();
  run.start = find_initial_conditions(*run.dynamics, run.system->start()).state;
  return run.dynamics->rank() == shared.rank ? std::optional(std::move(run)) : std::nullopt;
}

}  // namespace maggi::sweep
