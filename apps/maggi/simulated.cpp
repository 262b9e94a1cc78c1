#include "simulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "integration/sink/options.hpp"
#include "output.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::app {

namespace {

/// One line per event, and no more than fit on a screen.
void add_events(Table& table, const std::vector<EventRecord>& events) {
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(events.size(), most); ++i) {
    const EventRecord& event = events[i];
    std::string impulses;
    for (const auto& [name, value] : event.impulses)
      impulses += fmt::format("{}{} {:.6g}", impulses.empty() ? "; impulses " : ", ", name, value);
    if (!impulses.empty()) impulses += fmt::format("; energy lost {:.6g} J", event.energy_lost);
    table.row(
        {i == 0 ? "events" : "", fmt::format("t = {:.9g} s: {} {}{}", event.t, event.name, event.what, impulses)});
  }
  if (events.size() > most) table.row({"", fmt::format("and {} more, in summary.json", events.size() - most)});
}

}  // namespace

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void Stopwatch::note(const std::string& what) {
  const double now = cpu_seconds();
  seconds_.emplace_back(what, now - last_);
  last_ = now;
}

Summary simulate(Dynamics& dynamics, const State& start, Trajectory& trajectory, const IntegrateOptions& options) {
  const double begin = cpu_seconds();
  IntegrationResult run;
  try {
    run = integrate(dynamics, start, trajectory, options);
  } catch (const Error& error) {
    if (error.code() != Errc::numerics) throw;
    if (trajectory.size() > 0) run.t = trajectory(trajectory.size() - 1, 0);
    run.explanation = error.what();
    Summary summary = summarise(dynamics, run, trajectory, cpu_seconds() - begin);
    summary.outcome = "failed";
    return summary;
  }
  return summarise(dynamics, run, trajectory, cpu_seconds() - begin);
}

Table facts(const Dynamics& dynamics, const Summary& s, const IntegrateOptions& o) {
  const Shape& shape = dynamics.shape();
  Table table("ll");
  table.row({"degrees of freedom", fmt::format("{}: {}, {} of rank {}{}", s.dof, count(shape.n(), "coordinate"),
                                               count(static_cast<long>(shape.constraints().size()), "constraint"),
                                               s.rank, with_contacts(shape, dynamics.mode()))});
  table.row({"formulation",
             fmt::format("{}{}: {}", s.formulation,
                         dynamics.basis().empty() ? "" : fmt::format(" with basis {}", dynamics.basis()), s.reason)});
  const std::string begins = o.integrator == "auto" ? fmt::format(" (begins with {})", first_integrator(o)) : "";
  const bool fixed = o.integrator == "rk4" || o.integrator == "projected-bdf";
  table.row({"integrator", fixed ? fmt::format("{}: step {}{:g} s, drift {}", o.integrator,
                                               o.integrator == "rk4" ? "" : "at most ", o.step, o.drift)
                                 : fmt::format("{}{}: rtol {:g}, atol {:g}, drift {}", o.integrator, begins, o.rtol,
                                               o.atol, o.drift)});
  if (o.unknowns != IntegrateOptions().unknowns)
    table.row(
        {"unknowns", fmt::format("{}{}", o.unknowns,
                                 s.restarts > 0 ? fmt::format(", chosen anew {}", count(s.restarts, "time")) : "")});
  table.row({"outcome", fmt::format("{} at t = {:.6g} s", s.outcome, s.t)});
  add_events(table, s.events);
  table.row({"work", fmt::format("{}, {}, {:.3g} s of CPU time", count(s.steps, "step"),
                                 count(s.evaluations, "evaluation"), s.seconds)});
  if (shape.s_p + shape.s_v > 0)
    table.row({"residuals", fmt::format("{}velocity {:.1e}, the largest",
                                        shape.s_p > 0 ? fmt::format("position {:.1e}, ", s.residual_position) : "",
                                        s.residual_velocity)});
  table.row({"energy", s.energy_drift     ? fmt::format("conserved, drift {:.1e} J", *s.energy_drift)
                       : s.energy_balance ? fmt::format("balance with the work done: {:.1e} J of {:.3g} J turned over",
                                                        *s.energy_balance, *s.energy_turned_over)
                                          : "not compared: " + s.energy_note});
  return table;
}

Certificate certify(const Model& model, Dynamics& dynamics, const State& start) {
  Certificate result;
  try {
    if (const auto* mechanism = dynamic_cast<const MechanismSystem*>(&dynamics.system())) {
      result.all_joints = MechanismSystem::make_absolute(model);
      result.found = find_redundancy_of_joints(*result.all_joints, mechanism->absolute(start), dynamics, start);
    } else if (dynamics.shape().m() > 0) {
      result.found = find_redundancy(dynamics, start);
    }
  } catch (const Error& error) { result.why_not = error.what(); }
  return result;
}

}  // namespace maggi::app
