#include "integration/drift/constraint_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "manifold/singular_configuration.hpp"

namespace maggi::integration {

namespace {
State zero_state(const Shape& shape) { return {0.0, Vector::Zero(shape.nq()), Vector::Zero(shape.n())}; }

/// The first entry of `to` that is further from `from` than allowed; −1 if there is none. A NaN is far.
int first_far(const double* from, const std::vector<double>& to, const double* most) {
  for (int i = 0; i < static_cast<int>(to.size()); ++i)
    if (!(std::abs(to[i] - from[i]) <= most[i])) return i;
  return -1;
}
}  // namespace

ConstraintKeeper::ConstraintKeeper(Dynamics& dynamics, Form& form, bool project, Statistics& statistics)
    : dynamics_(dynamics),
      form_(&form),
      shape_(dynamics.shape()),
      projection_(dynamics.system()),
      statistics_(statistics),
      project_(project),
      rows_(shape_.s_p + shape_.s_v > 0),
      state_(zero_state(shape_)),
      failed_(zero_state(shape_)),
      kept_(form.size()) {
  follow_rows();
}

double ConstraintKeeper::rounding(const State& state) {
  constexpr double level = 1e-12;
  return level * (1.0 + largest(state.q) + largest(state.v));
}

void ConstraintKeeper::follow_rows() {
  projection_.use_rows(dynamics_.active_rows());
  // matrices of a large system are not made before they are needed
  if (dynamics_.recursion() && shape_.n() + shape_.m() > Recursion::small_system)
    projection_.rely_on(dynamics_.rows().rows());
}

void ConstraintKeeper::use(Form& form) {
  form_ = &form;
  kept_.resize(form.size());
}

bool ConstraintKeeper::keep(State& state) {
  if (!keeps()) return true;
  ++statistics_.projections;
  return nearest(state);
}

bool ConstraintKeeper::nearest(State& state) {
  if (!rows_) return true;
  Workspace& w = dynamics_.workspace();
  const auto met = [&](bool projected) {
    if (!projected && !within(projection_.residual_after(), rounding(state))) return false;
    if (keeps())
      statistics_.largest_correction = std::max(statistics_.largest_correction, projection_.residual_before());
    return true;
  };
  return (met(projection_.positions(state, w)) && met(projection_.velocities(state, w))) || refuse(state, -1);
}

bool ConstraintKeeper::keep(double t, double* y, const double* most) {
  if (!keeps()) return true;
  if (!form_->state(t, y, state_) || !keep(state_)) return false;
  std::copy(y, y + kept_.size(), kept_.begin());
  form_->values(state_, kept_.data());
  if (const int i = first_far(y, kept_, most); i >= 0) return refuse(state_, i);
  std::copy(kept_.begin(), kept_.end(), y);
  return true;
}

bool ConstraintKeeper::refuse(const State& state, int far) {
  failed_ = state;
  far_ = far;
  return false;
}

/// The constraints that depend on each other where they could not be met last, and do not agree there.
std::vector<std::string> ConstraintKeeper::contradicting() {
  if (!failed_.q.allFinite() || !failed_.v.allFinite() || shape_.n() + shape_.m() > Recursion::small_system) return {};
  return SingularConfiguration(dynamics_, failed_, SingularConfiguration::found_within).contradicting();
}

std::string ConstraintKeeper::explain_lost() {
  if (far_ >= 0)
    return fmt::format("at t = {:.9g} s the constraints can be met only by a jump in \"{}\"", failed_.t,
                       form_->name(far_));
  if (const std::vector<std::string> names = contradicting(); names.size() > 1)
    return fmt::format("at t = {:.9g} s {} contradict each other: no state satisfies them together from here on",
                       failed_.t, list_names(names));
  const Residuals left = residuals(failed_);
  const bool position = !(left.position < left.velocity);
  const int worst = position ? left.worst_position : left.worst_velocity;
  if (worst < 0) return fmt::format("at t = {:.9g} s the constraints cannot be met", failed_.t);
  return fmt::format("at t = {:.9g} s the constraints cannot be met: \"{}\" has a residual of {:.2g} at {} level",
                     failed_.t, shape_.rows[worst].name, position ? left.position : left.velocity,
                     level_name(position ? Level::position : Level::velocity));
}

}  // namespace maggi::integration
