#include "analysis/followed_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/cpu_time.hpp"
#include "base/largest.hpp"
#include "maggi/error.hpp"

namespace maggi::analysis {

std::string reason(const std::string& explanation) {
  constexpr std::string_view before = "refuses: ";
  const std::size_t at = explanation.find(before);
  return at == std::string::npos ? explanation : explanation.substr(at + before.size());
}

void enter(Dynamics& dynamics, const Moment& moment) {
  if (!(dynamics.mode() == moment.mode)) dynamics.set_mode(moment.mode);
  if (moment.vdot.size() > 0) dynamics.begin_near(moment.vdot);
  dynamics.decide_rows(moment.state);
}

FollowedMotion::FollowedMotion(const System& system, double spacing)
    : system_(system), workspace_(system.workspace()), spacing_(spacing) {}

void FollowedMotion::follow(Dynamics& dynamics, const Moment& start, const IntegrateOptions& options) {
  const double begin = cpu_seconds();
  try {
    enter(dynamics, start);
    const IntegrationResult run = integrate(dynamics, start.state, *this, options);
    kept_.steps = run.statistics.steps;
    kept_.evaluations = run.statistics.evaluations;
    if (run.outcome != Outcome::reached_end && run.outcome != Outcome::stopped)
      failure_ = fmt::format("{} at t = {:.6g} s{}{}", outcome_name(run.outcome), run.t,
                             run.explanation.empty() ? "" : ": ", reason(run.explanation));
  } catch (const Error& error) {
    if (error.code() != Errc::numerics) throw;
    failure_ = error.cause();
  }
  kept_.seconds = cpu_seconds() - begin;
}

void FollowedMotion::accept(const Sample& sample) {
  last_ = sample.state;
  if (last_.t >= next_) {
    moments_.push_back({last_, *sample.mode, sample.acceleration.vdot});
    next_ = (moments_.size() == 1 ? last_.t : next_) + spacing_ * (1.0 - 1e-9);  // rounding must not miss the last
  }
  largest_q_.note(last_.q);
  largest_v_.note(last_.v);
  kept_.drift = larger(kept_.drift, sample.residuals.position);
  kept_.velocity_drift = larger(kept_.velocity_drift, sample.residuals.velocity);
  if (!system_.shape().has_energy || !system_.shape().energy_changes.empty()) return;
  const double energy = system_.energy(last_, *workspace_).total;
  if (!first_energy_) first_energy_ = energy;
  kept_.energy_drift = larger(kept_.energy_drift.value_or(0.0), energy - *first_energy_);
}

double FollowedMotion::end_error(const FollowedMotion& other) const {
  const auto part = [](const Vector& a, const Vector& b, const Largest& scale) {
    const double difference = largest(a - b);
    return difference == 0.0 ? 0.0 : difference / std::max(scale.value(), std::numeric_limits<double>::epsilon());
  };
  return larger(part(last_.q, other.last_.q, largest_q_), part(last_.v, other.last_.v, largest_v_));
}

}  // namespace maggi::analysis
