#include "sweep/lane_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace maggi::sweep {

/// One run under way: its stored states. Used again by the run that comes after it.
struct LaneBatch::Course {
  explicit Course(const EquationSystem& formulas) : system(formulas), trajectory(system) {}

  void begin(const LaneJob& job) {
    system.set_parameters(job.parameters);
    trajectory.clear();
    failed = false;
  }

  ParameterisedSystem system;
  Trajectory trajectory;
  bool failed = false;
};

/// The stored states of the runs under way, and the measures of those that have ended.
class LaneBatch::Recording final : public LaneSink {
 public:
  Recording(const LaneGroup& group, LaneBatch& owner, const AcceptRuns& accept)
      : group_(group), owner_(owner), accept_(accept), courses_(group.jobs.size()) {
    acceleration_.reaction = Vector::Zero(owner.formulas_.shape().n());  // of no measure: see why_no_lanes()
  }

  void accept(std::size_t job, const State& state, const Acceleration& acceleration) override {
    Course& course = of(job);
    if (course.failed) return;
    acceleration_.vdot = acceleration.vdot;
    acceleration_.lambda = acceleration.lambda;
    try {
      course.trajectory.accept({state, acceleration_, {}});
    } catch (const Error&) { course.failed = true; }  // a value is not finite: to be said by the other way
  }

  void end(std::size_t job, const LaneRun& run) override {
    const auto& [index, times] = group_.which[job];
    const Course& course = of(job);
    if (run.finished && !course.failed) {
      IntegrationResult whole;
      whole.t = owner_.options_.until;
      ended_.push_back(measured(index, owner_.measures_, times, whole.t, course.trajectory, whole));
    } else {
      others_.push_back(index);
    }
    owner_.idle_.push_back(std::move(courses_[job]));
  }

  /// What has ended is kept back for as long as it costs next to nothing to make it again.
  void step() override {
    if (!ended_.empty() && std::chrono::steady_clock::now() - begin_ > patience) hand_over();
  }

  void hand_over() {
    if (!ended_.empty()) accept_(std::exchange(ended_, {}));
    begin_ = std::chrono::steady_clock::now();
  }

  /// In the order of their index.
  std::vector<std::uint64_t> others() {
    std::ranges::sort(others_);
    return others_;
  }

 private:
  static constexpr auto patience = std::chrono::milliseconds(20);

  Course& of(std::size_t job) {
    if (courses_[job]) return *courses_[job];
    if (owner_.idle_.empty()) owner_.idle_.push_back(std::make_unique<Course>(owner_.formulas_));
    courses_[job] = std::move(owner_.idle_.back());
    owner_.idle_.pop_back();
    courses_[job]->begin(group_.jobs[job]);
    return *courses_[job];
  }

  const LaneGroup& group_;
  LaneBatch& owner_;
  const AcceptRuns& accept_;
  std::vector<std::unique_ptr<Course>> courses_;  // by job, of those under way
  Acceleration acceleration_;
  std::vector<RunResult> ended_;
  std::vector<std::uint64_t> others_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

LaneBatch::LaneBatch(const SharedFormulas& shared, const IntegrateOptions& like, const std::vector<Measure>& measures)
    : formulas_(*shared.system), options_(like), measures_(measures), integrator_(*shared.system, like) {}
LaneBatch::~LaneBatch() = default;

std::string why_no_lanes(const PreparedRun& run, const std::vector<Measure>& measures) {
  if (!run.shared) return "each run builds its own equations";
  const std::string reason = LaneIntegrator::why_not(run.shared->shape(), run.settings.integrate);
  if (!reason.empty()) return reason;
  if (run.dynamics->rank() < run.shared->shape().m()) return "constraints depend on each other at the start of run 0";
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

bool LaneBatch::fits(const PreparedRun& run) const {
  const auto numbers = [](const IntegrateOptions& o) {
    return std::array{o.until, o.output, o.rtol, o.atol, o.step, o.max_step};
  };
  return run.shared && numbers(run.settings.integrate) == numbers(options_);
}

std::vector<std::uint64_t> LaneBatch::make(const LaneGroup& group, const AcceptRuns& accept) {
  Recording recording(group, *this, accept);
  integrator_.run(group.jobs, recording);
  recording.hand_over();
  return recording.others();
}

}  // namespace maggi::sweep
