#include "integration/run/recorder.hpp"

namespace maggi::integration {

Recorder::Recorder(Dynamics& dynamics, Form& form, ConstraintKeeper& keeper, RankMonitor& monitor, Sink& sink,
                   double from, const IntegrateOptions& options)
    : dynamics_(dynamics),
      form_(&form),
      keeper_(keeper),
      monitor_(monitor),
      sink_(sink),
      grid_(from, options.until, options.output) {
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
  if (!grid_.every_step()) {
    if (!due_at(t)) {
      if (sink_.follows() && form_->state(t, y, state_)) sink_.pass(state_);
      return true;
    }
    ++next_;
  }
  return load(t, y) && store();
}

bool Recorder::insert(double t, const double* y, bool again) {
  if (t <= stored_ && !again) return true;
  if (due_at(t)) ++next_;
  return load(t, y) && store();
}

void Recorder::use(Form& form) {
  form_ = &form;
  y_.setZero(form.size());
}

void Recorder::stop(double t, const double* y) {
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

bool Recorder::store() {
  const Residuals residuals = keeper_.residuals(state_);
  const double distance = monitor_.distance(state_);
  const auto solved = [&] {
    return crossing_ ? crossing_->solve(state_, acceleration_) : dynamics_.solve(state_, acceleration_);
  };
  if (!state_.q.allFinite() || !state_.v.allFinite() || !solved()) {
    trouble_ = Trouble::accelerations;
    return false;
  }
  sink_.accept({state_, acceleration_, residuals, &dynamics_.mode(), work_, distance});
  stored_ = state_.t;
  return true;
}

}  // namespace maggi::integration
