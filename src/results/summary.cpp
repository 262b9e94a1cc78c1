#include "results/summary.hpp"

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "system/make_system.hpp"

namespace maggi {

namespace {

double largest(const Trajectory& trajectory, std::string_view channel) {
  const std::optional<int> column = trajectory.find(channel);
  Largest result;
  if (column)
    for (std::size_t i = 0; i < trajectory.size(); ++i) result.note(trajectory(i, *column));
  return result.value();
}

double energy_drift(const Trajectory& trajectory) {
  const int total = *trajectory.find("energy.total");
  Largest result;
  for (std::size_t i = 0; i < trajectory.size(); ++i) result.note(trajectory(i, total) - trajectory(0, total));
  return result.value();
}

/// max T + max |V − V₀|
double energy_exchanged(const Trajectory& trajectory) {
  const int potential = *trajectory.find("energy.potential");
  Largest lifted;
  for (std::size_t i = 0; i < trajectory.size(); ++i) lifted.note(trajectory(i, potential) - trajectory(0, potential));
  return largest(trajectory, "energy.kinetic") + lifted.value();
}

/// The last stored values of a group, under the names of its channels from `skip` characters on.
NamedValues last_values(const Trajectory& trajectory, std::string_view group_name, std::size_t skip = 0) {
  NamedValues result;
  if (trajectory.size() == 0) return result;
  const Trajectory::Group& group = trajectory.group(group_name);
  const double* values = trajectory.state(trajectory.size() - 1);
  for (int i = group.first; i < group.first + group.count; ++i)
    result.emplace_back(trajectory.channels()[i].name.substr(skip), values[i]);
  return result;
}

}  // namespace

Summary summarise(const Dynamics& dynamics, const IntegrationResult& run, const Trajectory& trajectory,
                  double seconds) {
  const Shape& shape = dynamics.shape();
  Summary summary;
  summary.dof = dynamics.freedom();
  summary.rank = dynamics.rank();
  summary.formulation = dynamics.formulation();
  summary.reason = dynamics.reason();
  summary.outcome = run.outcome;
  summary.explanation = run.explanation;
  summary.t = run.t;
  summary.steps = run.statistics.steps;
  summary.evaluations = run.statistics.evaluations;
  summary.restarts = run.statistics.restarts;
  summary.seconds = seconds;
  summary.events = run.events;
  for (const MechanismSystem::RoundedLoop& loop : rounded_data(dynamics.system()))
    summary.rounded_data.push_back(loop.text);
  summary.residual_position = largest(trajectory, "residual.position");
  summary.residual_velocity = largest(trajectory, "residual.velocity");

  if (!shape.has_energy)
    summary.energy_note = "the energy is not known: the model gives the mass matrix and the force";
  else if (!shape.energy_changes.empty())
    summary.energy_note = shape.energy_changes;
  else if (trajectory.size() == 0)
    summary.energy_note = "no state was stored";
  else
    summary.energy_drift = energy_drift(trajectory), summary.energy_turned_over = energy_exchanged(trajectory);

  if (const std::optional<int> work = trajectory.find("energy.work")) {
    summary.energy_balance = largest(trajectory, "energy.balance");
    summary.energy_turned_over = 0.0;
    for (std::size_t i = 1; i < trajectory.size(); ++i)
      *summary.energy_turned_over += std::abs(trajectory(i, *work) - trajectory(i - 1, *work));
  }
  if (trajectory.find("residual.ideality")) summary.ideality = largest(trajectory, "residual.ideality");
  summary.q = last_values(trajectory, "coordinates");
  summary.v = last_values(trajectory, "velocities");
  if (shape.identity_rates)
    for (std::size_t i = 0; i < summary.v.size(); ++i) summary.v[i].first = shape.coordinates[i].name;
  summary.lambda = last_values(trajectory, "multipliers", std::string_view("lambda.").size());
  summary.reaction = last_values(trajectory, "reactions", std::string_view("reaction.").size());
  summary.controls = last_values(trajectory, "controls", std::string_view("control.").size());
  summary.forces = last_values(trajectory, "forces", std::string_view("force.").size());
  summary.parts = last_values(trajectory, "parts", std::string_view("reaction.").size());
  summary.tangent = last_values(trajectory, "tangent");
  return summary;
}

}  // namespace maggi
