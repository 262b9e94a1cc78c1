#pragma once
#include <string>

#include "integration/run/run_state.hpp"
#include "integration/run/step_progress.hpp"

namespace maggi::integration {

/// Why a run ends early: the outcome and its explanation in the names of the model. Every stop_…() returns false, the
/// answer of the run loop when it must not continue.
class RunEnd {
 public:
  explicit RunEnd(RunState& run) : run_(run) {}

  bool stop(Outcome outcome, std::string explanation);

  /// The constraints cannot be met at a state of the keeper.
  bool stop_lost();
  /// There are no accelerations at this state: ends with `singular` if the constraints are dependent or nearly
  /// dependent there, else as the dynamics explains.
  bool stop_unsolvable(const Instant& at, const std::string& help = "");
  /// Ends with `singular` if the constraints are nearly dependent, else with `step_too_small` and the given
  /// explanation.
  bool stop_too_small(std::string explanation);
  /// Steps are accepted, but the run would need too many of them.
  bool stop_stalled(const StepProgress& progress);
  /// Steps go half the distance to a singular configuration, and none crosses it.
  bool stop_approach() { return stop_singular(); }
  /// A state could not be stored; the recorder has the reason.
  bool stop_not_stored();
  /// The motion comes to rest in a singular configuration with more than one branch. `before`: a state nearby.
  bool stop_resting(const State& singular, const State& before);

  /// Text for a change of rank between the last accepted state and the current one: one of the two is a singular
  /// configuration.
  std::string explain_rank_change();

  Outcome outcome() const { return outcome_; }
  const std::string& explanation() const { return explanation_; }

 private:
  bool stop_singular();
  bool stop_resting_start();
  std::string explain_pole();
  std::string explain_out_of_reach();

  RunState& run_;
  Outcome outcome_ = Outcome::reached_end;
  std::string explanation_;
};

}  // namespace maggi::integration
