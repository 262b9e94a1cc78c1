#include "integration/run/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integration/form/make_form.hpp"
#include "integration/run/singular_start.hpp"
#include "manifold/singular_configuration.hpp"

namespace maggi::integration {

RunLoop::RunLoop(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options)
    : watch_(dynamics, start, options),
      run_(dynamics, start, sink, options),
      end_(run_),
      events_(watch_, run_, end_),
      crossings_(run_),
      evaluations_before_(dynamics.evaluations()) {
  sink.watch(run_.events);
}

bool RunLoop::begin(double* y) {
  run_.form->values(run_.start, run_.y.data());
  if (!run_.begin_from(run_.start)) return end_.stop_lost();
  run_.state = run_.start;
  if (!events_.any() && !leave_singular_start()) return false;
  run_.restarted = false;
  if (run_.t == run_.start.t && !run_.recorder.arrive(run_.t, run_.y.data())) return end_.stop_not_stored();
  std::copy(run_.y.begin(), run_.y.end(), y);
  return events_.arm(run_.start);
}

bool RunLoop::leave_singular_start() {
  SingularStart start(run_, end_);
  return start.leave() && (!start.crossing() || finish_crossing(*start.crossing(), start.nearby()));
}

bool RunLoop::accept(double t, const double* y, const Interpolation& at) {
  if (const double singular = crossings_.find_inside(t, y, at); singular <= t) return reject_and_cross(singular);
  bool event = false;
  if (events_.any() && !events_.shorten_step(t, y, at, event)) return false;
  const double h = t - run_.t;
  count(h, t >= until());
  run_.form->state(t, y, run_.state);
  const State& near = run_.on_constraints();
  const bool rank_kept = run_.monitor.keeps_rank(near);  // first: storing uses the same factor
  if (run_.keeper.has_rows()) run_.search.follow(near);
  const std::string rank_change = rank_kept ? "" : end_.explain_rank_change();
  if (!run_.recorder.before(t, at)) return end_.stop_not_stored();
  if (!rank_kept) return end_.stop(Outcome::singular, rank_change);
  run_.t = t;
  std::copy(y, y + size(), run_.y.data());
  if (event) return events_.process_events() && continue_or_stop();
  if (!check_law_solvability()) return false;
  if (!run_.recorder.arrive(t, y)) return end_.stop_not_stored();
  run_.renew_form();
  return look_ahead(h) && continue_or_stop();
}

/// Returns to the last accepted state.
bool RunLoop::reject_and_cross(double expected) {
  ++run_.statistics.rejected;
  run_.form->state(run_.t, run_.y.data(), run_.state);
  run_.restarted = true;
  const std::unique_ptr<SingularCrossing> crossing = crossings_.approach(expected, expected);
  if (crossing) return finish_crossing(*crossing, State(run_.state));
  if (crossings_.stuck()) return end_.stop_approach();
  return !interrupted() || stop_interrupted();
}

bool RunLoop::look_ahead(double h) {
  const std::unique_ptr<SingularCrossing> crossing = crossings_.look_ahead(h);
  return !crossing || finish_crossing(*crossing, State(run_.state));
}

bool RunLoop::has_one_branch(const State& singular, const State& before) {
  SingularConfiguration configuration(run_.dynamics, singular, before, run_.monitor.rank(),
                                      SingularConfiguration::found_within);
  return configuration.all_are_found() && configuration.tangents().size() == 1;
}

/// Accepts the step over the singular configuration, or its part up to where the motion comes to rest.
bool RunLoop::finish_crossing(SingularCrossing& crossing, const State& before) {
  const std::vector<State>& singular = crossing.configurations();
  const auto rest = std::ranges::find_if(singular, [&](const State& state) { return crossing.comes_to_rest(state); });
  const bool rests = rest != singular.end() && rest->t < until() && !has_one_branch(*rest, before);
  const double end = std::min(rests ? rest->t : crossing.end(), until());
  std::vector<double> y(size());
  crossing.interpolate(end, y.data());
  run_.form->state(end, y.data(), run_.state);
  if (!(end < crossing.end() ? crossing.keep(run_.state) : run_.keeper.keep(run_.state))) return end_.stop_lost();
  run_.form->values(run_.state, y.data());
  crossings_.suspend(true);
  run_.recorder.follow(&crossing);
  const bool on = accept(end, y.data(), [&](double t, double* at) { crossing.interpolate(t, at); });
  run_.recorder.follow(nullptr);
  run_.keeper.insist(false);
  crossings_.suspend(false);
  if (rests && on && run_.t == end) return end_.stop_resting(*rest, before);
  for (const State& state : singular)
    if (state.t <= run_.t) record_crossing(state, before, crossing);
  run_.use(make_form(run_.dynamics, run_.state, run_.options), run_.work());
  run_.form->values(run_.state, run_.y.data());
  run_.restarted = true;
  return on;
}

void RunLoop::record_crossing(const State& singular, const State& before, SingularCrossing& crossing) {
  run_.monitor.note_crossing();
  SingularConfiguration configuration(run_.dynamics, singular, before, run_.monitor.rank(),
                                      SingularConfiguration::found_within);
  const std::string what = (singular.t > run_.start.t ? "is crossed: " : "is left: ") + configuration.explain() +
                           configuration.explain_other_branches(singular.v) +
                           explain_reactions(crossing.reactions_near(singular), configuration.owners());
  const auto later = std::ranges::find_if(run_.events, [&](const EventRecord& event) { return event.t > singular.t; });
  run_.events.insert(later, {singular.t, "singular configuration", what, {}, {}});
}

/// Of the joints and constraints that become dependent: the limit of their forces, where they have one and it is
/// unique.
std::string RunLoop::explain_reactions(const SingularCrossing::ReactionLimit& limit,
                                       const std::vector<std::string>& owners) const {
  constexpr std::size_t most = 4;
  if (limit.unbounded) return "; reactions are unbounded there";
  std::string values;
  if (run_.dynamics.dependent_rows().empty() && owners.size() <= most)
    for (const std::string& owner : owners) {
      double squares = 0.0;
      for (int i = 0; i < shape().m(); ++i)
        if (shape().rows[i].owner == owner && shape().rows[i].unit == "m" && shape().rows[i].level == Level::position)
          squares += limit.lambda[i] * limit.lambda[i];
      if (squares > 0.0) values += fmt::format("{}{} {:.3g} N", values.empty() ? "" : ", ", owner, std::sqrt(squares));
    }
  return values.empty() ? "; reactions stay finite" : fmt::format("; reactions stay finite ({})", values);
}

/// Do the force laws determine the forces here?
bool RunLoop::check_law_solvability() {
  if (shape().laws.empty()) return true;
  const LawSolutions& solutions = run_.dynamics.law_solutions(run_.state);
  if (solutions.unique()) return true;
  return end_.stop(Outcome::undetermined, fmt::format("at t = {:.9g} s the forces are not determined: {}", run_.state.t,
                                                      solutions.explain(shape())));
}

void RunLoop::count(double h, bool last) {
  const double hopeless = 1e-12 * run_.span();  // a run would need 10¹² such steps
  const bool tiny = progress_.count(h, last, std::max(smallest_step(), hopeless), run_.statistics);
  if (!tiny) run_.form->forget_failure();
}

bool RunLoop::continue_or_stop() {
  const IntegrateOptions& options = run_.options;
  if (options.progress) options.progress(run_.t);
  if (progress_.stalled()) return end_.stop_stalled(progress_);
  return done() || !interrupted() || stop_interrupted();
}

bool RunLoop::interrupted() const {
  return run_.options.interrupt && run_.options.interrupt->load(std::memory_order_relaxed);
}

bool RunLoop::stop_interrupted() {
  return end_.stop(Outcome::interrupted, fmt::format("interrupted at t = {:.9g} s", run_.t));
}

IntegrationResult RunLoop::end() {
  if (end_.outcome() != Outcome::reached_end) run_.recorder.stop(run_.t, run_.y.data());
  run_.statistics.evaluations += run_.dynamics.evaluations() - evaluations_before_;
  return {end_.outcome(), end_.explanation(), run_.t, run_.statistics, std::move(run_.events)};
}

}  // namespace maggi::integration
