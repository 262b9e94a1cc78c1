#include "integration/integrate.hpp"
#include "maggi/error.hpp"
#include "start/start_attempt.hpp"
#include "sweep/lane_batch.hpp"
#include "sweep/measured.hpp"
#include "sweep/parameterised_system.hpp"
#include "sweep/plan.hpp"

namespace maggi {

namespace {

/// Finds the starts of runs that share formulas and settings; nothing is made again for a run.
class StartFinder {
 public:
  explicit StartFinder(const sweep::SharedFormulas& shared)
      : system_(*shared.system), workspace_(system_.workspace()) {}

  /// Nothing if there is none, or if it takes more than positions and speeds to say so.
  std::optional<State> operator()(const sweep::RunNumbers::Values& values) {
    system_.set_parameters(values.parameters);
    return integration::find_start_state(system_, *workspace_, values.start);
  }

 private:
  sweep::ParameterisedSystem system_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace

struct SweepWorker::Inside {
  Sweep sweep;
  const std::atomic<bool>* interrupt;
  Simulation simulation;
  const sweep::SharedFormulas* shared;
  const sweep::RunNumbers* numbers = nullptr;  // of all runs, if they need no model of their own
  sweep::RunNumbers::Values values;
  std::optional<StartFinder> find_start;
  std::optional<sweep::LaneBatch> lanes;

  Inside(const Sweep& s, const std::atomic<bool>* flag)
      : sweep(s), interrupt(flag), simulation(s.plan_->first), shared(s.plan_->formulas.get()) {
    if (shared && shared->numbers) {
      numbers = &*shared->numbers;
      values = numbers->values();
      find_start.emplace(*shared);
    }
    if (!sweep.in_lanes()) return;
    IntegrateOptions options = *shared->in_lanes;
    options.interrupt = interrupt;
    lanes.emplace(*shared, options, sweep.measures());
  }

  sweep::PreparedRun prepare(std::uint64_t run) {
    std::optional<sweep::PreparedRun> prepared;
    if (numbers && numbers->fill(sweep.design(), run, values)) prepared = sweep::prepare(values, *shared);
    if (!prepared) {
      sweep::set_numbers(simulation, sweep.design(), run);
      prepared = sweep::prepare(simulation, sweep.measures(), shared);
    }
    prepared->settings.integrate.interrupt = interrupt;
    return std::move(*prepared);
  }

  /// Nothing if it was interrupted.
  std::optional<RunResult> make(std::uint64_t index) {
    try {
      const sweep::PreparedRun prepared = prepare(index);
      const IntegrateOptions& options = prepared.settings.integrate;
      Trajectory trajectory(*prepared.system, find_unique_forces(*prepared.dynamics, prepared.start));
      const IntegrationResult run = integrate(*prepared.dynamics, prepared.start, trajectory, options);
      if (run.outcome == Outcome::interrupted) return std::nullopt;
      return sweep::measured(index, sweep.measures(), prepared.times, options.until, trajectory, run);
    } catch (const Error& error) { return RunResult{index, {}, error.what()}; }
  }

  /// Side by side what can be; returns the others.
  std::vector<std::uint64_t> make_in_lanes(const RunGroup& group, const AcceptRuns& accept) {
    sweep::LaneGroup runs;
    std::vector<std::uint64_t> others;
    for (std::uint64_t run = group.first; run < group.first + group.count; ++run)
      if (!(numbers ? add_by_numbers(run, runs) : add_by_model(run, runs))) others.push_back(run);
    const std::vector<std::uint64_t> unfinished = lanes->make(runs, accept);
    others.insert(others.end(), unfinished.begin(), unfinished.end());
    return others;
  }

  /// false: to be made, or refused, by the other way.
  bool add_by_numbers(std::uint64_t run, sweep::LaneGroup& runs) {
    if (!numbers->fill(sweep.design(), run, values)) return false;
    std::optional<State> start = (*find_start)(values);
    if (start) runs.add(run, shared->settings->times, values.parameters, std::move(*start));
    return start.has_value();
  }
  bool add_by_model(std::uint64_t run, sweep::LaneGroup& runs) {
    try {
      sweep::PreparedRun prepared = prepare(run);
      if (!lanes->fits(prepared)) return false;
      runs.add(run, prepared.times, prepared.shared->parameters(), std::move(prepared.start));
      return true;
    } catch (const Error&) { return false; }
  }
};

SweepWorker::SweepWorker(const Sweep& sweep, const std::atomic<bool>* interrupt)
    : inside_(std::make_unique<Inside>(sweep, interrupt)) {}
SweepWorker::~SweepWorker() = default;

bool SweepWorker::make(const RunGroup& group, const AcceptRuns& accept) {
  std::vector<std::uint64_t> runs;
  if (inside_->lanes)
    runs = inside_->make_in_lanes(group, accept);
  else
    for (std::uint64_t run = group.first; run < group.first + group.count; ++run) runs.push_back(run);
  for (const std::uint64_t run : runs) {
    if (inside_->interrupt && *inside_->interrupt) return false;
    std::optional<RunResult> result = inside_->make(run);
    if (!result) return false;
    accept(std::vector(1, std::move(*result)));
  }
  return true;
}

}  // namespace maggi
