#include "integration/run/state_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"

namespace maggi::integration {

bool StateCheck::holds(const State& state, const Residuals& residuals, double work) {
  if (!begun_) begin(state, residuals, work);
  const double size = std::max(largest(state.q), largest(state.v));
  const double tolerance = options_.atol + options_.rtol * size;
  return residuals_hold(state, residuals, tolerance) && energy_holds(state, work, tolerance);
}

/// A start may be off the constraints where drift = baumgarte or pi shall bring it back.
void StateCheck::begin(const State& state, const Residuals& residuals, double work) {
  begun_ = true;
  given_ = residuals;
  if (!dynamics_.shape().has_energy) return;
  const Energy energy = dynamics_.system().energy(state, dynamics_.workspace());
  energy_at_start_ = energy.total - work, potential_at_start_ = energy.potential;
}

bool StateCheck::refuse(Outcome outcome, std::string explanation) {
  outcome_ = outcome;
  explanation_ = std::move(explanation);
  return false;
}

bool StateCheck::residuals_hold(const State& state, const Residuals& residuals, double tolerance) {
  constexpr double tolerances = 1e3, part = 0.1;
  if (options_.drift == Drift::projection) return true;  // the projection has met them, or refused the state
  const bool fixed_step = options_.step > 0.0 && options_.integrator == "rk4";
  const double most = part * (1.0 + largest(state.q)), most_rate = part * (1.0 + largest(state.v));
  const double drift = fixed_step ? most : tolerances * tolerance * static_cast<double>(1 + statistics_.steps);
  if (given_.position > tolerances * tolerance || given_.velocity > tolerances * tolerance) return true;
  const bool position = within(residuals.position, std::min(drift, most));
  if (position && within(residuals.velocity, std::min(drift, most_rate))) return true;
  const int worst = position ? residuals.worst_velocity : residuals.worst_position;
  return refuse(Outcome::constraints_lost,
                fmt::format("at t = {:.9g} s \"{}\" has a residual of {:.2g} at {} level, more than the tolerances "
                            "explain ({})",
                            state.t, worst < 0 ? "" : dynamics_.shape().rows[worst].name,
                            position ? residuals.velocity : residuals.position, position ? "velocity" : "position",
                            remedy() + "; drift = projection keeps it"));
}

bool StateCheck::energy_holds(const State& state, double work, double tolerance) {
  constexpr double part = 0.1, tolerances = 20.0;
  const Shape& shape = dynamics_.shape();
  if (!shape.has_energy || (!shape.energy_changes.empty() && shape.laws.empty())) return true;
  const double forces = dynamics_.workspace().terms.h.lpNorm<1>();
  const Energy energy = dynamics_.system().energy(state, dynamics_.workspace());
  kinetic_ = std::max(kinetic_, energy.kinetic);
  lifted_ = std::max(lifted_, std::abs(energy.potential - potential_at_start_));
  const double turned_over = kinetic_ + lifted_, fastest = largest(state.v);
  const double momentum = fastest > 0.0 ? 2 * energy.kinetic / fastest : 0.0;
  const double drift = energy.total - energy_at_start_ - work;
  if (within(std::abs(drift), std::max(part * turned_over, tolerances * tolerance * (forces + momentum)))) return true;
  return refuse(
      Outcome::failed,
      fmt::format("at t = {:.9g} s the energy is not kept: {:.3g} J became {:.3g} J{}, where {:.3g} J are "
                  "turned over ({})",
                  state.t, energy_at_start_, energy.total,
                  shape.laws.empty() ? "" : fmt::format(" with {:.3g} J of work", work), turned_over, remedy()));
}

std::string StateCheck::remedy() const {
  if (options_.integrator == "rk4" || options_.integrator == "projected-bdf")
    return fmt::format("step = {:g} s is too large", options_.step);
  return fmt::format("rtol = {:g} and atol = {:g} are too large", options_.rtol, options_.atol);
}

}  // namespace maggi::integration
