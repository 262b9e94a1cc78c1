#include "integration/run/run_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/form/make_form.hpp"

namespace maggi::integration {

RunState::RunState(Dynamics& of, const State& from, Sink& sink, const IntegrateOptions& with)
    : dynamics(of),
      options(with),
      start(from),
      form(make_form(of, from, with)),
      keeper(of, *form, with.drift == Drift::projection, statistics),
      monitor(of, keeper.has_rows() ? &keeper.projection() : nullptr, statistics),
      search(of, monitor),
      recorder(of, *form, keeper, monitor, sink, from.t, with, statistics),
      t(from.t),
      state(from),
      y(form->size()),
      allowed_(form->size()) {}

double RunState::smallest_step() const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-6 * span());
}

const double* RunState::largest_changes(const double* of_y) {
  constexpr double tolerances = 1e3, rounding = 1e-11;  // seen: up to 30 tolerances at rtol = 1e-3, 1 at 1e-8
  for (int i = 0; i < size(); ++i)
    allowed_[i] = tolerances * (options.atol + options.rtol * std::abs(of_y[i])) + rounding * (1.0 + std::abs(of_y[i]));
  return allowed_.data();
}

bool RunState::begin_from(State& from) {
  if (!keeper.keep(from)) return false;
  form->values(from, y.data());
  State near = from;
  if (!keeper.projects() && !keeper.nearest(near)) return false;
  monitor.begin(near);
  if (keeper.has_rows()) search.begin(near);
  return true;
}

const State& RunState::on_constraints() {
  if (keeper.projects() || !keeper.has_rows()) return state;
  near_ = state;
  keeper.nearest(near_);  // what drift has left is a residual, which is checked where states are stored
  return near_;
}

void RunState::use(std::unique_ptr<Form> other, double work) {
  form = std::move(other);
  keeper.use(*form);
  recorder.use(*form);
  y.assign(size(), 0.0);
  allowed_.resize(size());
  if (form->work_entry() >= 0) y[form->work_entry()] = work;
}

void RunState::renew_form() {
  restarted = form->renew(state);
  if (!restarted) return;
  ++statistics.restarts;
  form->values(state, y.data());
}

}  // namespace maggi::integration
