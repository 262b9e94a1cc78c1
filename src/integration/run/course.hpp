#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "integration/drift/constraint_keeper.hpp"
#include "integration/drift/rank_watch.hpp"
#include "integration/event/event_watch.hpp"
#include "integration/form/form.hpp"
#include "integration/run/recorder.hpp"
#include "integration/singular/passage.hpp"
#include "integration/singular/pose_search.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"

namespace maggi::integration {

/// What is the same in every integrator: how a run begins, what happens after an accepted step, and how it ends.
///
///     Course course(...);
///     bool on = course.begin(y);
///     while (on && !course.done()) {
///       ... a step from course.t() to t that gives y, kept on the constraints
///       on = course.accept(t, y, interpolant);
///       if (on && course.restarted()) ... start afresh from course.t(), course.y(), which may have another size
///     }
///     return course.end();
class Course {
 public:
  Course(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);

  Dynamics& dynamics() { return dynamics_; }
  const Shape& shape() const { return dynamics_.shape(); }
  const IntegrateOptions& options() const { return options_; }
  Form& form() { return *form_; }
  ConstraintKeeper& keeper() { return keeper_; }
  Recorder& recorder() { return recorder_; }
  Statistics& statistics() { return statistics_; }

  int size() const { return form_->size(); }
  double t() const { return t_; }  ///< of the last accepted state
  double until() const { return options_.until; }
  /// No step should go further: a singular pose may be ahead, and is not to be stepped over unseen.
  double horizon() const { return horizon_; }
  const double* y() const { return last_.data(); }
  /// Has y() jumped since the step was accepted, or has the step been cut short by an event, so that the integrator
  /// must forget what it knows?
  bool restarted() const { return restarted_; }
  bool done() const { return t_ >= options_.until; }

  /// By how much the projection may change the entries of y: local errors, not jumps.
  const double* largest_changes(const double* y);
  double smallest_step() const;  ///< below it t + h is no longer resolved

  /// Keeps and stores the start, writes it to y. false: the run is over.
  bool begin(double* y);

  /// What integrator = auto decides, among the events.
  void note_choice(std::string what) { happened_.push_back({t_, "integrator", std::move(what), {}, {}}); }

  /// The step from t() to t is accepted and y is kept: events, rank, stored states, progress, interrupt. false: the run
  /// is over. The step ends at the first event inside; t() says where. If it goes over a singular pose unseen, it does
  /// not count: the pose is passed from t(), or a shorter step is due.
  template <class Interpolant>
  bool accept(double t, const double* y, const Interpolant& at) {
    if (const double pose = pose_inside(t, y, at); pose <= t) return pass_instead(pose);
    bool event = false;
    if (events_.any() && !cut_at_event(t, y, at, event)) return false;
    const double h = t - t_;
    count(h, t >= options_.until);
    form_->state(t, y, state_);
    const bool steady = watch_.steady(state_);  // first: storing uses the same factor
    if (keeper_.projects()) search_.follow(state_);
    if (!steady) singular_ = explain_unsteady();
    if (!recorder_.before(t, at)) return not_stored();
    if (!steady) return stop(Outcome::singular, singular_);
    t_ = t;
    std::copy(y, y + size(), last_.data());
    if (event) return fire();
    if (!lawful()) return false;
    if (!recorder_.arrive(t, y)) return not_stored();
    renew();
    return look_ahead(h) && go_on();
  }

  /// Notes why the run ends early; returns false.
  bool stop(Outcome outcome, std::string explanation);
  bool stop_lost();
  bool stop_at_rest();
  bool stop_singular();
  bool stop_resting(const State& pose, const State& before);
  /// There are no accelerations here: singular if the constraints are, or are close to it, otherwise as the dynamics
  /// explains.
  bool stop_unsolvable(const Instant& at, const std::string& help = "");

  /// The step became too small: singular if the constraints are close to it, otherwise as told.
  bool stop_too_small(std::string explanation);

  /// The result; of a run that ended early the last accepted state is stored.
  IntegrationResult end();

 private:
  static constexpr std::size_t many = 100;  // events within 1e-9 of the run are too many
  using Interpolation = std::function<void(double t, double* y)>;

  bool enter(State& state);
  bool begins_in_pose(State& near);
  bool leave_at_rest(State& near);
  bool leave_pose(State& near, const Vector& vdot);
  bool cut_at_event(double& t, const double*& y, const Interpolation& at, bool& event);
  bool fire();
  bool obey(Consequence& consequence);
  bool change_mode(Consequence& consequence);
  double largest_gap() const;
  bool piling_up() const;
  bool stop_piling_up();
  bool lawful();
  std::string explain_unsteady();
  double pose_inside(double t, const double* y, const Interpolation& at);
  bool pass_instead(double pose);
  bool look_ahead(double h);
  bool approach(double pose, double otherwise);
  bool pass(double expected, double otherwise);
  bool only_one_branch(const State& pose, const State& before);
  bool go_over(Passage& passage, const State& before);
  void note_passed(const State& pose, const State& before, Passage& passage);
  void use(std::unique_ptr<Form> form, double work);
  double work() const { return form_->work_entry() < 0 ? 0.0 : last_[form_->work_entry()]; }
  void count(double h, bool last);
  void renew();
  bool not_stored();
  bool stop_crawling();
  bool go_on();

  Dynamics& dynamics_;
  const IntegrateOptions& options_;
  State start_;
  Statistics statistics_;
  EventWatch events_;  // before the form: it may change the mode to begin with
  std::unique_ptr<Form> form_;
  ConstraintKeeper keeper_;
  RankWatch watch_;
  PoseSearch search_;
  Recorder recorder_;
  double t_;
  State state_;  // that y stands for
  State end_;    // of a step that is not accepted yet
  bool restarted_ = false;
  std::vector<double> last_;  // the accepted state at t
  std::vector<double> most_;  // largest_changes()
  std::vector<double> cut_;   // the end of a step that an event cuts short
  double horizon_;
  double tried_;    // how far ahead the pose was that could not be passed; infinity: there is none
  int failed_ = 0;  // so often
  bool passing_ = false;
  int crawled_ = 0;            // accepted steps in a row that were too small to come to an end,
  double crawled_time_ = 0.0;  // and their sum
  long evaluations_before_;
  Outcome outcome_ = Outcome::reached_end;
  std::string explanation_, singular_;
  std::vector<EventRecord> happened_;
};

}  // namespace maggi::integration
