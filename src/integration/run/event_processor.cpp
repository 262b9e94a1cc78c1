#include "integration/run/event_processor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/largest.hpp"
#include "integration/event/impact.hpp"
#include "integration/form/make_form.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

bool EventProcessor::shorten_step(double& t, const double*& y, const Interpolation& at, bool& event) {
  bool kept = true;
  shortened_.resize(run_.y.size());
  const auto follow = [&](double time, State& state) {
    at(time, shortened_.data());
    kept = run_.form->state(time, shortened_.data(), state) && run_.keeper.keep(state);
    return kept;
  };
  const auto motion = std::ref(follow);  // small enough for a std::function without memory of its own
  double from = run_.t, to = t;
  run_.form->state(t, y, run_.state);
  if (!watch_.look(run_.state, motion, from, to)) return end_.stop_unsolvable(run_.state);
  event = watch_.crossed();
  if (!event) {
    run_.keeper.keep(run_.state);  // what follows uses the factor of this state
    return true;
  }
  if (!watch_.locate(from, to, 64 * run_.smallest_step(), motion, run_.state))
    return kept ? end_.stop_unsolvable(run_.state) : end_.stop_lost();
  run_.form->values(run_.state, shortened_.data());
  t = run_.state.t;
  y = shortened_.data();
  return true;
}

bool EventProcessor::process_events() {
  run_.restarted = true;
  if (!run_.recorder.insert(run_.t, run_.y.data(), false)) return end_.stop_not_stored();
  const State before = run_.state;
  const Mode mode = run_.dynamics.mode();
  std::size_t rounds = 0;
  do {
    Consequence consequence;
    try {
      consequence = watch_.fire(run_.state);
    } catch (const Error& error) { return end_.stop(Outcome::undetermined, error.what()); }
    if (!apply_consequences(consequence)) return false;
    const bool changed = !(run_.dynamics.mode() == mode) || run_.state.v != before.v;
    if (changed && !run_.recorder.insert(run_.t, run_.y.data(), true)) return end_.stop_not_stored();
    if (consequence.stop)
      return end_.stop(Outcome::stopped, fmt::format("event \"{}\" at t = {:.9g} s", run_.events.back().name, run_.t));
    if (!arm(run_.state)) return false;
    if (too_many() || ++rounds > max_events) return stop_too_many();
  } while (watch_.crossed());
  return true;
}

/// The event that has a name of its own, or the row that was hit.
std::string EventProcessor::name_of(const Consequence& consequence) const {
  if (!consequence.records.empty()) return consequence.records.front().name;
  return consequence.struck.empty() ? "" : run_.shape().rows[consequence.struck.front()].name;
}

/// Switches to the mode after the event, with its jump of the velocities, and records what happened.
bool EventProcessor::apply_consequences(Consequence& consequence) {
  const bool other_mode = !(consequence.mode == run_.dynamics.mode());
  try {
    if ((other_mode || consequence.decide) && !change_mode(consequence)) return false;
  } catch (const Error& error) {
    const std::string name = name_of(consequence);
    return end_.stop(name.empty() ? Outcome::undetermined : Outcome::singular,
                     fmt::format("at t = {:.9g} s{}: {}", run_.t,
                                 name.empty() ? "" : fmt::format(", after event \"{}\"", name), error.what()));
  }
  for (EventRecord& record : consequence.records) record.t = run_.t;
  run_.events.insert(run_.events.end(), consequence.records.begin(), consequence.records.end());
  return true;
}

bool EventProcessor::change_mode(Consequence& consequence) {
  Dynamics& dynamics = run_.dynamics;
  const std::vector<int> redundant = dynamics.dependent_rows();
  if (const std::string gap = explain_gap(dynamics, consequence.mode, run_.state, largest_gap()); !gap.empty())
    return end_.stop(Outcome::constraints_lost,
                     fmt::format("at t = {:.9g} s event \"{}\" {}", run_.t, consequence.records.front().name, gap));
  const bool met = apply_jump(dynamics, consequence, run_.state);
  dynamics.set_mode(std::move(consequence.mode));
  run_.keeper.follow_rows();
  if (!met) {
    run_.keeper.note_lost(run_.state);
    return end_.stop_lost();
  }
  double work = run_.work();
  for (const EventRecord& record : consequence.records) work -= record.energy_lost;  // by the impulses
  run_.use(make_form(dynamics, run_.state, run_.options), work);
  if (!run_.begin_from(run_.state)) return end_.stop_lost();
  if (!dynamics.dependent_rows().empty() && redundant.empty() && !consequence.records.empty())
    consequence.records.front().what += "; constraints are redundant from here, and multipliers of least norm";
  return true;
}

/// The residual up to which a position row counts as met: rounding, and without projection the drift.
double EventProcessor::largest_gap() const {
  constexpr double tolerances = 1e3;
  const double rounding = ConstraintKeeper::rounding(run_.state);
  if (run_.keeper.projects()) return rounding;
  return rounding + tolerances * (run_.options.atol + run_.options.rtol * largest(run_.state.q));
}

/// So many events in so short a time that the run would not end.
bool EventProcessor::too_many() const {
  const std::vector<EventRecord>& events = run_.events;
  return events.size() >= max_events && run_.t - events[events.size() - max_events].t <= 1e-9 * run_.span();
}

bool EventProcessor::stop_too_many() {
  const std::vector<EventRecord>& events = run_.events;
  const std::size_t count = std::min(max_events, events.size());
  const EventRecord none{run_.t, "", "", {}, {}};
  const EventRecord &first = count > 0 ? events[events.size() - count] : none, &last = count > 0 ? events.back() : none;
  return end_.stop(Outcome::step_too_small,
                   fmt::format("at t = {:.9g} s events accumulate: {} of them within {:.2g} s, the last is \"{}\"",
                               run_.t, count, run_.t - first.t, last.name));
}

}  // namespace maggi::integration
