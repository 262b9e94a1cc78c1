#include "integration/run/run_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/names.hpp"
#include "integration/run/pole.hpp"
#include "manifold/extreme_value.hpp"
#include "manifold/singular_configuration.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::integration {

namespace {

std::string explain_no_crossing(SingularConfiguration& configuration) {
  if (configuration.lost() > 0 && configuration.locks())
    return fmt::format("; the mechanism locks: no velocity satisfies {} together", list_names(configuration.owners()));
  const std::string branches = configuration.lost() > 0 ? configuration.explain_tangents() : "";
  return branches.empty() ? "; no smooth motion leads over it" : "; branches that meet there: " + branches;
}

std::string listed(const std::string& branches) { return branches.empty() ? "" : "; branches: " + branches; }

}  // namespace

bool RunEnd::stop(Outcome outcome, std::string explanation) {
  outcome_ = outcome;
  explanation_ = std::move(explanation);
  return false;
}

/// A constraint that asks for more than the others admit; empty if none does.
std::string RunEnd::explain_out_of_reach() {
  constexpr double soon = 1e-3;  // of the run
  const auto extreme = find_extreme_value(run_.dynamics, run_.state);
  if (!extreme || extreme->time_left > soon * run_.span()) return "";
  SingularConfiguration configuration(run_.dynamics, extreme->at, run_.state, run_.monitor.rank(),
                                      SingularConfiguration::found_within);
  const std::vector<std::string> owners = configuration.owners();
  return fmt::format("at t = {:.9g} s {}{}", run_.state.t, extreme->text,
                     owners.size() > 1 ? fmt::format(": {} become dependent", list_names(owners)) : "");
}

std::string RunEnd::explain_rank_change() {
  if (std::string reach = explain_out_of_reach(); !reach.empty()) return reach;
  const std::string text = run_.monitor.explain_rank_change(run_.state);
  const int rank = run_.keeper.projection().independence().rank, expected = run_.monitor.rank();
  if (rank == expected) return text;
  if (rank > expected) {
    State singular = run_.state;
    if (!run_.form->state(run_.t, run_.y.data(), singular)) return text;
    return text +
           listed(SingularConfiguration(run_.dynamics, singular, run_.state, rank, SingularConfiguration::found_within)
                      .explain_tangents());
  }
  SingularConfiguration configuration(run_.dynamics, run_.state, run_.start, expected,
                                      SingularConfiguration::found_within);
  return fmt::format("at t = {:.9g} s {}: singular configuration{}", run_.state.t, configuration.explain(),
                     explain_no_crossing(configuration));
}

/// The constraints demand more than any motion can do, or nothing selects its branch.
bool RunEnd::stop_singular() {
  run_.form->state(run_.t, run_.y.data(), run_.state);
  if (std::string reach = explain_out_of_reach(); !reach.empty()) return stop(Outcome::singular, std::move(reach));
  SingularConfiguration configuration(run_.dynamics, run_.state, run_.start, run_.monitor.rank(),
                                      3 * run_.monitor.distance());
  return stop(Outcome::singular, run_.monitor.explain_near(run_.t) + explain_no_crossing(configuration));
}

bool RunEnd::stop_resting(const State& singular, const State& before) {
  SingularConfiguration configuration(run_.dynamics, singular, before, run_.monitor.rank(),
                                      SingularConfiguration::found_within);
  return stop(Outcome::singular,
              fmt::format("at t = {:.9g} s the motion comes to rest in a singular configuration, from which more than "
                          "one motion leads: {}{}",
                          singular.t, configuration.explain(), listed(configuration.explain_tangents())));
}

/// From rest, where no row has a direction, the forces lead off the constraints at once.
bool RunEnd::stop_resting_start() {
  const int rank = std::min(run_.shape().n(), static_cast<int>(run_.dynamics.active_rows().size()));
  SingularConfiguration configuration(run_.dynamics, run_.start, run_.keeper.failed(), rank,
                                      SingularConfiguration::found_within);
  return stop(Outcome::singular,
              fmt::format("at t = {:.9g} s the start is a singular configuration, from which more than one motion "
                          "leads: {}{}",
                          run_.start.t, configuration.explain(), listed(configuration.explain_tangents())));
}

bool RunEnd::stop_lost() {
  if (run_.monitor.near_singular()) return stop_singular();
  if (run_.monitor.rank() == 0 && !run_.dynamics.dependent_rows().empty() && run_.start.v.isZero(0.0))
    return stop_resting_start();
  if (std::string reach = explain_out_of_reach(); !reach.empty()) return stop(Outcome::singular, std::move(reach));
  const std::string pole = explain_pole();
  return stop(Outcome::constraints_lost, pole.empty() ? run_.keeper.explain_lost() : pole);
}

/// Two points that meet, or a formula with a pole in front of the last state; empty if there are none.
std::string RunEnd::explain_pole() {
  constexpr double beside = 1e-6;  // of their distance in the reference configuration
  State last = run_.state;
  if (!run_.form->state(run_.t, run_.y.data(), last)) return "";
  if (const auto ends = meeting_ends(run_.dynamics.system(), last, beside))
    return fmt::format("at t = {:.9g} s {}: nothing acts in a direction there", run_.t, ends->text);
  const std::string pole = integration::explain_pole(run_.dynamics, last, run_.span());
  return pole.empty() ? "" : fmt::format("at t = {:.9g} s {}", run_.t, pole);
}

bool RunEnd::stop_unsolvable(const Instant& at, const std::string& help) {
  const Form& form = *run_.form;
  if (!form.why().empty() && form.failed()) return stop_too_small(fmt::format("at t = {:.9g} s {}", at.t, form.why()));
  if (run_.monitor.rank_lost(at)) return stop(Outcome::singular, run_.monitor.explain_rank_lost(at));
  std::string text = fmt::format("at t = {:.9g} s there are no accelerations: {}", at.t, run_.dynamics.explain(at));
  if (!help.empty()) text += " (" + help + ")";
  return stop_too_small(std::move(text));
}

bool RunEnd::stop_too_small(std::string explanation) {
  if (run_.monitor.near_singular()) return stop_singular();
  std::string pole = explain_pole();
  return stop(Outcome::step_too_small, pole.empty() ? std::move(explanation) : std::move(pole));
}

/// The motion is too steep, or cannot be evaluated beyond the last state.
bool RunEnd::stop_stalled(const StepProgress& progress) {
  Form& form = *run_.form;
  const IntegrateOptions& options = run_.options;
  if (form.failed()) return stop_unsolvable(form.failure());
  std::vector<double> slope(run_.size());
  if (!form(run_.t, run_.y.data(), slope.data())) return stop_unsolvable(form.failure());
  int fastest = 0;
  for (int i = 0; i < run_.size(); ++i) {
    slope[i] = std::abs(slope[i]) / (options.atol + options.rtol * std::abs(run_.y[i]));
    if (slope[i] > slope[fastest]) fastest = i;
  }
  const double h = progress.mean_step();
  if (h < run_.smallest_step())
    return stop_too_small(fmt::format(
        "at t = {:.9g} s the step fell below {:.2g} s; the fastest variable is \"{}\" = {:.3g} (does the solution end "
        "here?)",
        run_.t, run_.smallest_step(), form.name(fastest), run_.y[fastest]));
  return stop_too_small(
      fmt::format("at t = {:.9g} s, with steps of {:.2g} s, the run would need {:.1e} more; the fastest variable is "
                  "\"{}\" = {:.3g} "
                  "(check the units of lengths, masses and of the end time)",
                  run_.t, h, (options.until - run_.t) / h, form.name(fastest), run_.y[fastest]));
}

bool RunEnd::stop_not_stored() {
  if (run_.recorder.trouble() == Recorder::Trouble::constraints) return stop_lost();
  if (run_.recorder.trouble() == Recorder::Trouble::check)
    return stop(run_.recorder.check().outcome(), run_.recorder.check().explanation());
  if (run_.recorder.trouble() == Recorder::Trouble::contacts) return stop(Outcome::failed, run_.recorder.violation());
  return stop_unsolvable(run_.recorder.state());
}

}  // namespace maggi::integration
