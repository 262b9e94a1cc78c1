#include "sweep/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace maggi::sweep {

namespace {

using PreparedRuns = std::vector<std::pair<std::uint64_t, PreparedRun>>;

/// The stored states of all runs, and the measures of those that have ended.
class Recording final : public LaneSink {
 public:
  Recording(const PreparedRuns& runs, const std::vector<Measure>& measures,
            const std::function<void(RunResult)>& accept)
      : runs_(runs), measures_(measures), accept_(accept), failed_(runs.size(), false) {
    for (const auto& [index, run] : runs) trajectories_.push_back(std::make_unique<Trajectory>(*run.system));
  }

  void accept(std::size_t job, const State& state, const Acceleration& acceleration) override {
    if (failed_[job]) return;
    acceleration_ = acceleration;
    acceleration_.reaction = Vector::Zero(state.v.size());  // of no measure: see why_not_side_by_side()
    try {
      trajectories_[job]->accept({state, acceleration_, {}});
    } catch (const Error&) { failed_[job] = true; }  // a value is not finite: to be said by the other way
  }

  void end(std::size_t job, const LaneRun& run) override {
    const auto& [index, prepared] = runs_[job];
    if (run.finished && !failed_[job]) {
      Run whole;
      whole.t = prepared.settings.integrate.until;
      accept_(measured(index, measures_, prepared.times, whole.t, *trajectories_[job], whole));
    } else {
      others_.push_back(index);
    }
    trajectories_[job].reset();
  }

  /// In the order of their index.
  std::vector<std::uint64_t> others() {
    std::ranges::sort(others_);
    return others_;
  }

 private:
  const PreparedRuns& runs_;
  const std::vector<Measure>& measures_;
  const std::function<void(RunResult)>& accept_;
  std::vector<bool> failed_;
  std::vector<std::unique_ptr<Trajectory>> trajectories_;
  Acceleration acceleration_;
  std::vector<std::uint64_t> others_;
};

}  // namespace

std::string why_not_side_by_side(const PreparedRun& run, const std::vector<Measure>& measures) {
  if (!run.shared) return "each run builds its own equations";
  const std::string reason = LaneIntegrator::why_not(run.shared->shape(), run.settings.integrate);
  if (!reason.empty()) return reason;
  const Trajectory trajectory(*run.system);
  for (const char* name : {"reactions", "forces", "powers", "contacts", "residuals"}) {
    const Trajectory::Group& group = trajectory.group(name);
    for (const Measure& measure : measures)
      if (const int channel = find_channel(trajectory, measure);
          channel >= group.first && channel < group.first + group.count)
        return fmt::format("{} is one of the {}", measure.channel, name);
  }
  return "";
}

bool SideBySide::fits(const PreparedRun& run) const {
  const auto numbers = [](const IntegrateOptions& o) {
    return std::array{o.until, o.output, o.rtol, o.atol, o.step, o.max_step};
  };
  return run.shared && numbers(run.settings.integrate) == numbers(options_);
}

std::vector<std::uint64_t> SideBySide::make(const PreparedRuns& runs, const std::function<void(RunResult)>& accept) {
  std::vector<LaneJob> jobs;
  for (const auto& [index, run] : runs) jobs.push_back({run.shared->parameters(), run.start});
  Recording recording(runs, measures_, accept);
  integrator_.run(jobs, recording);
  return recording.others();
}

}  // namespace maggi::sweep
