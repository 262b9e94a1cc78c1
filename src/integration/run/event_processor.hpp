#pragma once
#include <functional>
#include <string>
#include <vector>

#include "integration/event/event_watch.hpp"
#include "integration/run/run_end.hpp"
#include "integration/run/run_state.hpp"

namespace maggi::integration {

/// Events of a run: a step ends at the first event inside it, the state jumps there, and other rows may be in force
/// after it.
class EventProcessor {
 public:
  using Interpolation = std::function<void(double t, double* y)>;

  EventProcessor(EventWatch& watch, RunState& run, RunEnd& end) : watch_(watch), run_(run), end_(end) {}

  bool any() const { return watch_.any(); }

  /// Determines on which side of zero the event functions are. Returns false if the run is over.
  bool arm(const State& at) { return watch_.arm(at) || end_.stop_unsolvable(at); }

  /// Searches the step from the last state to (t, y) for an event. If there is one, the step is shortened: t and y are
  /// those of the first event, and `event` is true. Returns false if the run is over.
  bool shorten_step(double& t, const double*& y, const Interpolation& at, bool& event);

  /// Stores the state before and after the event. Events triggered by the velocity jump are processed at the same time
  /// instant. Returns false if the run is over.
  bool process_events();

 private:
  static constexpr std::size_t max_events = 100;  // within 1e-9 of the run

  bool apply_consequences(Consequence& consequence);
  std::string name_of(const Consequence& consequence) const;
  bool change_mode(Consequence& consequence);
  double largest_gap() const;
  bool too_many() const;
  bool stop_too_many();

  EventWatch& watch_;
  RunState& run_;
  RunEnd& end_;
  std::vector<double> shortened_;  // y at the event
};

}  // namespace maggi::integration
