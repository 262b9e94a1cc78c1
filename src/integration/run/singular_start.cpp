#include "integration/run/singular_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "integration/form/make_form.hpp"
#include "manifold/singular_configuration.hpp"

namespace maggi::integration {

bool SingularStart::is_searched() const {
  return run_.keeper.has_rows() && run_.monitor.rank() != run_.monitor.rows().size();
}

bool SingularStart::leave() {
  if (!is_searched()) return true;
  if (run_.start.v.isZero(0.0)) return leave_at_rest();
  return !has_higher_rank_along_velocities() || leave_along(Vector::Zero(run_.shape().n()));
}

/// Returns true if C has a higher rank a small step along v₀, i.e. if the start is a singular configuration.
bool SingularStart::has_higher_rank_along_velocities() {
  constexpr double step_length = 1e-3;
  Dynamics& dynamics = run_.dynamics;
  const Shape& shape = run_.shape();
  const double speed = largest(run_.start.v);
  if (!(speed > 0.0)) return false;
  nearby_ = run_.start;
  nearby_.t += step_length / speed;
  dynamics.system().move(nearby_.q.data(), Vector(step_length / speed * run_.start.v).data());
  Projection all_rows(dynamics.system());  // not only those that are independent at the start
  all_rows.use_rows(dynamics.active_rows());
  const bool small = shape.n() + shape.m() <= Recursion::small_system;
  const bool kept = small ? all_rows(nearby_, dynamics.workspace()) ||
                                within(all_rows.residual_after(), ConstraintKeeper::rounding(nearby_))
                          : run_.keeper.nearest(nearby_);
  std::vector<int> rows = dynamics.active_rows();
  std::erase_if(rows, [&](int i) { return i >= shape.s_p + shape.s_v; });
  const RowSelection watched(shape, rows);
  Matrix M(shape.n(), shape.n()), C(watched.size(), shape.n());
  dynamics.system().velocity(nearby_, dynamics.workspace());
  shape.M.scatter(dynamics.workspace().terms.M, M);
  watched.matrix(dynamics.workspace().terms.C, C);
  MetricFactor factor(shape.n(), watched.size());
  if (kept && factor.compute(M, C) && factor.rank() > run_.monitor.rank()) return true;
  restore_factor();
  return false;
}

/// What follows uses the factor of the start.
void SingularStart::restore_factor() {
  State start = run_.start;
  run_.keeper.nearest(run_.keeper.projects() ? run_.start : start);
}

/// With exactly one branch the motion follows it.
bool SingularStart::leave_at_rest() {
  if (run_.shape().n() + run_.shape().m() > Recursion::small_system) return true;
  SingularConfiguration configuration(run_.dynamics, run_.start, SingularConfiguration::found_within);
  const std::vector<SingularConfiguration::Branch> branches = configuration.branches();
  restore_factor();
  if (branches.empty()) return true;
  if (branches.size() > 1 || !configuration.all_are_found())
    return end_.stop(Outcome::singular,
                     fmt::format("at t = {:.9g} s the start is a singular configuration, from which more than one "
                                 "motion leads: {}; branches: {}",
                                 run_.t, configuration.explain(), configuration.explain_tangents()));
  nearby_ = branches[0].near;
  return branches[0].vdot.isZero(0.0) || leave_along(branches[0].vdot);
}

/// Along the velocities of the start, if they are those of a branch; v̇ is a first guess.
bool SingularStart::leave_along(const Vector& vdot) {
  constexpr int max_attempts = 12;
  run_.dynamics.decide_rows(nearby_);  // fewer rows are independent in the singular configuration itself
  run_.keeper.follow_rows();
  if (!run_.begin_from(nearby_)) return end_.stop_lost();
  IntegrateOptions plain = run_.options;
  plain.unknowns = Unknowns::velocities, plain.continuity.reset(), plain.drift = Drift::projection;
  run_.use(make_form(run_.dynamics, nearby_, plain), run_.work());
  run_.keeper.insist(true);
  run_.form->values(run_.start, run_.y.data());
  const double speed = largest(run_.start.v), growth = std::sqrt(largest(vdot));
  double half = std::min(run_.options.until - run_.t, 1.0 / std::max(speed, growth));
  for (int attempt = 0; attempt < max_attempts && half > 0.0; ++attempt, half /= 2) {
    crossing_ = std::make_unique<SingularCrossing>(run_.dynamics, *run_.form, run_.keeper, run_.monitor, run_.options);
    if (!crossing_->leave(run_.t, run_.y.data(), half, vdot)) continue;
    run_.recorder.follow(crossing_.get());
    const bool stored = run_.recorder.arrive(run_.t, run_.y.data());
    run_.recorder.follow(nullptr);
    return stored || end_.stop_not_stored();
  }
  SingularConfiguration configuration(run_.dynamics, run_.start, nearby_, run_.monitor.rank(),
                                      SingularConfiguration::found_within);
  const std::string branches = configuration.explain_tangents();
  return end_.stop(Outcome::singular,
                   fmt::format("at t = {:.9g} s the start is a singular configuration: {}; the velocities given are "
                               "along no branch of the motion{}",
                               run_.t, configuration.explain(), branches.empty() ? "" : "; branches: " + branches));
}

}  // namespace maggi::integration
