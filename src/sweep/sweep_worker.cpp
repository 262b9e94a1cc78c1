#include "sweep/measured.hpp"
#include "sweep/prepared_run.hpp"
#include "sweep/side_by_side.hpp"

namespace maggi {

struct SweepWorker::Inside {
  const Sweep& sweep;
  const std::atomic<bool>* interrupt;
  Model model;
  std::vector<Adjustable> quantities;  // of this model
  std::optional<sweep::SideBySide> lanes;

  Inside(const Sweep& s, const std::atomic<bool>* flag)
      : sweep(s), interrupt(flag), model(s.model()), quantities(sweep::varied(model, s.design())) {
    if (!sweep.in_lanes()) return;
    IntegrateOptions options = *sweep.formulas_->in_lanes;
    options.interrupt = interrupt;
    lanes.emplace(*sweep.formulas_, options, sweep.measures());
  }

  sweep::PreparedRun prepare(std::uint64_t run) {
    for (std::size_t i = 0; i < quantities.size(); ++i) quantities[i].set(sweep.design().value(run, i));
    sweep::PreparedRun prepared = sweep::prepare(model, sweep.measures(), sweep.formulas_.get());
    prepared.settings.integrate.interrupt = interrupt;
    return prepared;
  }

  /// Nothing if it was interrupted.
  std::optional<RunResult> make(std::uint64_t index) {
    try {
      const sweep::PreparedRun prepared = prepare(index);
      const IntegrateOptions& options = prepared.settings.integrate;
      Trajectory trajectory(*prepared.system, undetermined_multipliers(*prepared.dynamics, prepared.start));
      const Run run = integrate(*prepared.dynamics, prepared.start, trajectory, options);
      if (run.outcome == Outcome::interrupted) return std::nullopt;
      return sweep::measured(index, sweep.measures(), prepared.times, options.until, trajectory, run);
    } catch (const Error& error) { return RunResult{index, {}, error.what()}; }
  }

  /// Side by side what can be; returns the others.
  std::vector<std::uint64_t> make_in_lanes(const RunGroup& group, const std::function<void(RunResult)>& accept) {
    std::vector<std::pair<std::uint64_t, sweep::PreparedRun>> runs;
    std::vector<std::uint64_t> others;
    for (std::uint64_t run = group.first; run < group.first + group.count; ++run) {
      try {
        sweep::PreparedRun prepared = prepare(run);
        if (lanes->fits(prepared)) {
          prepared.dynamics.reset();
          runs.emplace_back(run, std::move(prepared));
          continue;
        }
      } catch (const Error&) {  // to be said by the other way
      }
      others.push_back(run);
    }
    const std::vector<std::uint64_t> unfinished = lanes->make(runs, accept);
    others.insert(others.end(), unfinished.begin(), unfinished.end());
    return others;
  }
};

SweepWorker::SweepWorker(const Sweep& sweep, const std::atomic<bool>* interrupt)
    : inside_(std::make_unique<Inside>(sweep, interrupt)) {}
SweepWorker::~SweepWorker() = default;

bool SweepWorker::make(const RunGroup& group, const std::function<void(RunResult)>& accept) {
  std::vector<std::uint64_t> runs;
  if (inside_->lanes)
    runs = inside_->make_in_lanes(group, accept);
  else
    for (std::uint64_t run = group.first; run < group.first + group.count; ++run) runs.push_back(run);
  for (const std::uint64_t run : runs) {
    if (inside_->interrupt && *inside_->interrupt) return false;
    std::optional<RunResult> result = inside_->make(run);
    if (!result) return false;
    accept(std::move(*result));
  }
  return true;
}

}  // namespace maggi
