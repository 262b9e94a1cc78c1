#pragma once
#include <functional>
#include <string>
#include <utility>

#include "integration/event/event_watch.hpp"
#include "integration/run/crossing_control.hpp"
#include "integration/run/event_processor.hpp"
#include "integration/run/run_end.hpp"
#include "integration/run/run_state.hpp"
#include "integration/run/step_progress.hpp"

namespace maggi::integration {

/// The part of a run that all integrators share: its start, the acceptance of steps, its end.
///
///     RunLoop loop(...);
///     bool on = loop.begin(y);
///     while (on && !loop.done()) {
///       ... a step from loop.t() to t that gives y, projected onto the constraints
///       on = loop.accept(t, y, interpolant);
///       if (on && loop.restarted()) ... restart from loop.t(), loop.y(), which may have another size
///     }
///     return loop.end();
class RunLoop {
 public:
  /// Writes y at a time inside the step.
  using Interpolation = std::function<void(double t, double* y)>;

  RunLoop(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);

  const Shape& shape() const { return run_.shape(); }
  const IntegrateOptions& options() const { return run_.options; }
  Form& form() { return *run_.form; }
  ConstraintKeeper& keeper() { return run_.keeper; }
  Statistics& statistics() { return run_.statistics; }

  int size() const { return run_.size(); }
  double t() const { return run_.t; }  ///< of the last accepted state
  double until() const { return run_.options.until; }
  /// No step should go further: a singular configuration may be ahead, and must not be stepped over unseen.
  double horizon() const { return crossings_.horizon(); }
  const double* y() const { return run_.y.data(); }
  /// Has y() jumped since the step was accepted, or was the step shortened, so that the integrator must discard its
  /// history?
  bool restarted() const { return run_.restarted; }
  bool done() const { return run_.done(); }

  const double* largest_changes(const double* y) { return run_.largest_changes(y); }
  double smallest_step() const { return run_.smallest_step(); }

  /// Projects and stores the start, writes it to y. Returns false if the run is over.
  bool begin(double* y);

  /// Records a decision of integrator = auto among the events.
  void note_choice(std::string what) { run_.events.push_back({run_.t, "integrator", std::move(what), {}, {}}); }

  /// Accepts the step from t() to t, whose end y is projected: searches it for singular configurations and events,
  /// stores the states that are due, reports progress. Returns false if the run is over.
  ///
  /// The step ends at the first event inside; t() is then the time of the event. A step that contains a singular
  /// configuration is rejected: the configuration is crossed from t(), or a shorter step is due.
  bool accept(double t, const double* y, const Interpolation& at);

  // Why an integrator cannot continue; all of them return false. See RunEnd.
  bool stop_lost() { return end_.stop_lost(); }
  bool stop_unsolvable(const Instant& at, const std::string& help = "") { return end_.stop_unsolvable(at, help); }
  bool stop_too_small(std::string explanation) { return end_.stop_too_small(std::move(explanation)); }

  /// The result. If the run ended early, its last accepted state is stored.
  IntegrationResult end();

 private:
  bool leave_singular_start();
  bool reject_and_cross(double expected);
  bool look_ahead(double h);
  bool finish_crossing(SingularCrossing& crossing, const State& before);
  bool has_one_branch(const State& singular, const State& before);
  void record_crossing(const State& singular, const State& before, SingularCrossing& crossing);
  std::string explain_reactions(const SingularCrossing::ReactionLimit& limit,
                                const std::vector<std::string>& owners) const;
  bool check_law_solvability();
  void count(double h, bool last);
  bool continue_or_stop();
  bool interrupted() const;
  bool stop_interrupted();

  EventWatch watch_;  // before the form is made: the mode of the start depends on it
  RunState run_;
  RunEnd end_;
  EventProcessor events_;
  CrossingControl crossings_;
  StepProgress progress_;
  long evaluations_before_;
};

}  // namespace maggi::integration
