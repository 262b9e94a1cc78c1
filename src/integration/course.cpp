#include "integration/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace maggi::integration {

Course::Course(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options)
    : dynamics_(dynamics),
      options_(options),
      start_(start),
      form_(make_form(dynamics, start, options)),
      keeper_(dynamics, *form_, options.drift == "projection", statistics_),
      watch_(dynamics, keeper_.projects() ? &keeper_.projection() : nullptr, statistics_),
      recorder_(dynamics, *form_, keeper_, sink, start.t, options),
      t_(start.t),
      state_(start),
      last_(form_->size()),
      most_(form_->size()),
      evaluations_before_(dynamics.evaluations()) {}

bool Course::begin(double* y) {
  form_->values(start_, last_.data());
  if (!keeper_.keep(start_)) return stop_lost();
  form_->values(start_, last_.data());
  std::copy(last_.begin(), last_.end(), y);
  watch_.begin(start_);
  return recorder_.arrive(t_, y) || not_stored();
}

void Course::count(double h, bool last) {
  Statistics& s = statistics_;
  if (++s.steps == 1)
    s.largest_step = s.smallest_step = h;
  else if (!last)
    s.largest_step = std::max(s.largest_step, h), s.smallest_step = std::min(s.smallest_step, h);
  const double hopeless = 1e-12 * (until() - start_.t);  // of such steps a run would need 10¹²
  crawled_ = h < std::max(smallest_step(), hopeless) && !last ? crawled_ + 1 : 0;
  if (crawled_ == 0) form_->forget_failure();
}

void Course::renew() {
  restarted_ = form_->renew(state_);
  if (!restarted_) return;
  ++statistics_.restarts;
  form_->values(state_, last_.data());
}

const double* Course::largest_changes(const double* y) {
  constexpr double tolerances = 1e3, rounding = 1e-11;  // seen: up to 30 tolerances at rtol = 1e-3, 1 at 1e-8
  for (int i = 0; i < size(); ++i)
    most_[i] = tolerances * (options_.atol + options_.rtol * std::abs(y[i])) + rounding * (1.0 + std::abs(y[i]));
  return most_.data();
}

double Course::smallest_step() const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), 1e-6 * (until() - start_.t));
}

bool Course::go_on() {
  if (options_.progress) options_.progress(t_);
  constexpr int patience = 1000;  // the first steps may be tiny, but not so many
  if (crawled_ > patience) return stop_crawling();
  if (!options_.interrupt || !options_.interrupt->load(std::memory_order_relaxed) || done()) return true;
  return stop(Outcome::interrupted, fmt::format("interrupted at t = {:.9g} s", t_));
}

bool Course::not_stored() {
  if (recorder_.trouble() == Recorder::Trouble::constraints) return stop_lost();
  return stop_unsolvable(recorder_.state());
}

bool Course::stop(Outcome outcome, std::string explanation) {
  outcome_ = outcome;
  explanation_ = std::move(explanation);
  return false;
}

bool Course::stop_lost() {
  if (watch_.near_singular()) return stop(Outcome::singular, watch_.explain_near(t_));
  return stop(Outcome::constraints_lost, keeper_.explain_lost());
}

bool Course::stop_unsolvable(const Instant& at, const std::string& help) {
  if (!form_->why().empty() && form_->failed())
    return stop_too_small(fmt::format("at t = {:.9g} s {}", at.t, form_->why()));
  if (watch_.rank_lost(at)) return stop(Outcome::singular, watch_.explain_rank_lost(at));
  std::string text = fmt::format("at t = {:.9g} s there are no accelerations: {}", at.t, dynamics_.explain(at));
  if (!help.empty()) text += " (" + help + ")";
  return stop_too_small(std::move(text));
}

bool Course::stop_too_small(std::string explanation) {
  if (watch_.near_singular()) return stop(Outcome::singular, watch_.explain_near(t_));
  return stop(Outcome::step_too_small, std::move(explanation));
}

/// Steps are accepted, but so small that t hardly moves: the motion is too steep, or cannot be evaluated beyond.
bool Course::stop_crawling() {
  if (form_->failed()) return stop_unsolvable(form_->failure());
  std::vector<double> slope(size());
  if (!(*form_)(t_, last_.data(), slope.data())) return stop_unsolvable(form_->failure());
  int steepest = 0;
  for (int i = 0; i < size(); ++i) {
    slope[i] = std::abs(slope[i]) / (options_.atol + options_.rtol * std::abs(last_[i]));
    if (slope[i] > slope[steepest]) steepest = i;
  }
  return stop_too_small(fmt::format(
      "at t = {:.9g} s the step fell below {:.2g} s; the steepest is \"{}\" = {:.3g} (does the solution end here?)", t_,
      smallest_step(), form_->name(steepest), last_[steepest]));
}

Run Course::end() {
  if (outcome_ != Outcome::reached_end) recorder_.stop(t_, last_.data());
  statistics_.evaluations += dynamics_.evaluations() - evaluations_before_;
  return {outcome_, explanation_, t_, statistics_};
}

}  // namespace maggi::integration
