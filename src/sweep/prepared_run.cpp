#include "sweep/prepared_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/complete_system.hpp"
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
  run.settings = settings(model);
  IntegrateOptions& o = run.settings.integrate;
  const Numbers numbers(model);
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

void find_start(PreparedRun& run) {
  run.dynamics = std::make_unique<Dynamics>(*run.system, run.settings.formulation, run.settings.basis);
  run.start = find_initial_conditions(*run.dynamics, run.system->start()).state;
}

}  // namespace

std::vector<Adjustable> varied(Model& model, const Design& design) {
  std::vector<Adjustable> result;
  const std::vector<Adjustable> all = adjustables(model);
  for (const Axis& axis : design.axes()) result.push_back(*std::ranges::find(all, axis.name(), &Adjustable::name));
  return result;
}

PreparedRun prepare(const Model& model, const std::vector<Measure>& measures, const SharedFormulas* shared) {
  PreparedRun run;
  find_settings(model, measures, run);
  if (shared) {
    auto system = std::make_unique<WithNumbers>(*shared->system, model);
    run.shared = system.get();
    run.system = std::move(system);
    find_start(run);
    if (run.dynamics->rank() == shared->rank) return run;
    run.shared = nullptr;
  }
  run.dynamics.reset();
  CompleteSystem complete = complete_system(model, run.settings.formulation, run.settings.basis);
  run.system = std::move(complete.system);
  run.dynamics = std::move(complete.dynamics);
  run.start = complete.start.state;
  return run;
}

std::optional<PreparedRun> prepare(const RunNumbers::Values& values, const SharedFormulas& shared) {
  PreparedRun run;
  static_cast<RunSettings&>(run) = *shared.settings;
  auto system = std::make_unique<WithNumbers>(*shared.system, values.parameters, values.start);
  run.shared = system.get();
  run.system = std::move(system);
  find_start(run);
  return run.dynamics->rank() == shared.rank ? std::optional(std::move(run)) : std::nullopt;
}

}  // namespace maggi::sweep
