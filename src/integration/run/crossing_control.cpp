#include "integration/run/crossing_control.hpp"

#include <algorithm>
#include <cmath>

#include "integration/form/make_form.hpp"

namespace maggi::integration {

namespace {
/// q by the cubic that has both positions and velocities.
void interpolate_cubic(const State& from, const State& to, double t, State& state) {
  const double h = to.t - from.t, x = (t - from.t) / h, z = 1 - x;
  state.t = t;
  state.q = z * from.q + x * to.q + x * z * ((x - z) * (to.q - from.q) + h * (z * from.v - x * to.v));
  state.v = z * from.v + x * to.v;
}
}  // namespace

CrossingControl::CrossingControl(RunState& run)
    : run_(run), end_(run.start), horizon_(run.options.until), failed_ahead_(SingularitySearch::none) {}

/// Where velocities are the rates of the coordinates, the cubic through both ends is used: it costs nothing, and the
/// search projects its states anyway.
double CrossingControl::find_inside(double t, const double* y, const Interpolation& at) {
  if (suspended_ || !run_.keeper.has_rows()) return SingularitySearch::none;
  const bool cubic = run_.shape().identity_rates, drifts = !run_.keeper.projects();
  if ((cubic || drifts) && !run_.form->state(t, y, end_)) return SingularitySearch::none;
  if (drifts) run_.keeper.nearest(end_);
  inside_.resize(run_.y.size());
  const auto follow = [&](double time, State& state) {
    if (cubic) return interpolate_cubic(run_.state, end_, time, state);
    at(time, inside_.data());
    run_.form->state(time, inside_.data(), state);
  };
  bool searched = false;
  const double found = run_.search.inside(run_.t, t, std::ref(follow), searched);
  if (searched && found > t && !drifts && run_.form->state(t, y, end_))
    run_.keeper.keep(end_);  // what follows uses the factor of this state
  return found;
}

std::unique_ptr<SingularCrossing> CrossingControl::look_ahead(double h) {
  horizon_ = run_.options.until;
  if (suspended_ || !run_.keeper.has_rows() || run_.done()) return nullptr;
  const double expected = run_.search.ahead(run_.state, h);
  if (std::isfinite(expected)) return approach(expected, run_.search.rough());
  failed_ahead_ = expected, failed_attempts_ = 0;
  return nullptr;
}

std::unique_ptr<SingularCrossing> CrossingControl::approach(double expected, double otherwise) {
  const double ahead = expected - run_.t;
  horizon_ = std::min(run_.options.until, run_.t + ahead / 2);
  rejected_.push_back(run_.t);
  if (rejected_.size() > most_rejected_) rejected_.erase(rejected_.begin());
  if (ahead > 0.6 * failed_ahead_) return nullptr;
  failed_ahead_ = ahead;
  return cross(expected, otherwise);
}

bool CrossingControl::stuck() const {
  constexpr double short_part = 1e-9;  // of the run
  return horizon_ - run_.t < run_.smallest_step() ||
         (rejected_.size() == most_rejected_ && run_.t - rejected_.front() <= short_part * run_.span());
}

/// The run goes on as before, from the last accepted state.
std::unique_ptr<SingularCrossing> CrossingControl::give_up() {
  run_.keeper.use(*run_.form);
  run_.keeper.insist(false);
  run_.form->state(run_.t, run_.y.data(), run_.state);
  ++failed_attempts_;
  return nullptr;
}

/// One step over the configuration, with (q, v) as integrated variables, after which every integrator restarts.
std::unique_ptr<SingularCrossing> CrossingControl::cross(double expected, double otherwise) {
  IntegrateOptions plain = run_.options;
  plain.unknowns = Unknowns::velocities, plain.continuity.reset(), plain.drift = Drift::projection;
  std::unique_ptr<Form> form = make_form(run_.dynamics, run_.state, plain);
  std::vector<double> y(form->size());
  if (form->work_entry() >= 0) y[form->work_entry()] = run_.work();
  run_.keeper.use(*form);
  run_.keeper.insist(true);
  if (!run_.keeper.keep(run_.state)) return give_up();
  form->values(run_.state, y.data());
  auto crossing = std::make_unique<SingularCrossing>(run_.dynamics, *form, run_.keeper, run_.monitor, run_.options);
  if (!crossing->cross(run_.t, y.data(), expected, failed_attempts_) &&
      (otherwise == expected || !crossing->cross(run_.t, y.data(), otherwise, failed_attempts_)))
    return give_up();
  failed_ahead_ = SingularitySearch::none, failed_attempts_ = 0;
  rejected_.clear();
  run_.use(std::move(form), run_.work());
  return crossing;
}

}  // namespace maggi::integration
