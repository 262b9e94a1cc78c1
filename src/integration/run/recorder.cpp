#include "integration/run/recorder.hpp"

namespace maggi::integration {

Recorder::Recorder(Dynamics& dynamics, Form& form, ConstraintKeeper& keeper, RankMonitor& monitor, Sink& sink,
                   double from, const IntegrateOptions& options, const Statistics& statistics)
    : dynamics_(dynamics),
      form_(&form),
      keeper_(keeper),
      monitor_(monitor),
      sink_(sink),
      check_(dynamics, options, statistics),
      times_(from, options),
      contacts_(dynamics) {
  const Shape& shape = dynamics.shape();
  y_.setZero(form.size());
  state_.q.setZero(shape.nq());
  state_.v.setZero(shape.n());
  acceleration_.vdot.setZero(shape.n());
  acceleration_.lambda.setZero(shape.m());
  acceleration_.reaction.setZero(shape.n());
}

bool Recorder::arrive(double t, const double* y) {
  if (t <= stored_) return true;  // a step too small to move t
  const bool due = due_at(t);
  const bool stored = due || times_.every_step();
  if (stored && !(load(t, y) && store() && taken(due))) return false;
  if (sink_.follows() && (stored || form_->state(t, y, state_))) sink_.pass(state_);
  return true;
}

bool Recorder::insert(double t, const double* y, bool again) {
  if (t <= stored_ && !again) return true;
  const bool due = due_at(t);
  return load(t, y) && store() && taken(due);
}

bool Recorder::taken(bool due) {
  if (due) times_.stored();
  return true;
}

void Recorder::use(Form& form) {
  form_ = &form;
  y_.setZero(form.size());
}

void Recorder::stop(double t, const double* y) {
  ends_ = true;
  if (t <= stored_) return;
  if (load(t, y)) store();
}

bool Recorder::load(double t, const double* y) {
  work_ = form_->work_entry() < 0 ? 0.0 : y[form_->work_entry()];
  if (form_->state(t, y, state_)) return true;
  trouble_ = Trouble::accelerations;
  return false;
}

bool Recorder::kept() {
  if (crossing_ ? crossing_->keep(state_) : keeper_.keep(state_)) return true;
  trouble_ = Trouble::constraints;
  return false;
}

/// Of the state, or of the one next to it on the constraints where drift has left them.
double Recorder::distance() {
  if (crossing_ || keeper_.projects() || !keeper_.has_rows()) return monitor_.distance(state_);
  near_ = state_;
  keeper_.nearest(near_);
  return monitor_.distance(near_);
}

bool Recorder::store() {
  const Residuals residuals = keeper_.residuals(state_);
  const double distance = this->distance();
  const auto solved = [&] {
    return crossing_ ? crossing_->solve(state_, acceleration_) : dynamics_.solve(state_, acceleration_);
  };
  if (!state_.q.allFinite() || !state_.v.allFinite() || !solved()) {
    trouble_ = Trouble::accelerations;
    return false;
  }
  if (!crossing_ && !ends_ && !check_.holds(state_, residuals, work_)) {
    trouble_ = Trouble::check;
    return false;
  }
  if (!crossing_ && keeper_.projects()) violation_ = contacts_.find_violation(state_, acceleration_);
  if (!violation_.empty()) {
    trouble_ = Trouble::contacts;
    return false;
  }
  sink_.accept({state_, acceleration_, residuals, &dynamics_.mode(), work_, distance});
  stored_ = state_.t;
  return true;
}

}  // namespace maggi::integration
