#include "text/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/names.hpp"
#include "maggi/text.hpp"
#include "simulation/motion_data.hpp"
#include "text/rounding.hpp"
#include "text/verdict.hpp"
#include "text/words.hpp"

namespace maggi::text {

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

constexpr std::size_t most_names = 8;

/// Names that differ in their last part only become one: "hinge.force.x", "hinge.force.y" → "hinge.force".
std::vector<std::string> shortened(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const std::string front = name.substr(0, name.rfind('.'));
    if (std::ranges::find(result, front) == result.end()) result.push_back(front);
  }
  return result;
}

/// "hinge.first.force.x": what is said of the other side of the joint goes for this one.
bool is_first_side(const std::string& name) {
  return name.find(".first.force") != std::string::npos || name.find(".first.torque") != std::string::npos;
}

/// "3 coordinates"; "6 velocities" where there are more coordinates than that.
std::string moving(const Shape& shape) {
  if (shape.nq() == shape.n()) return count(shape.n(), "coordinate");
  return fmt::format("{} {}", shape.n(), shape.n() == 1 ? "velocity" : "velocities");
}

}  // namespace

Table facts(const Motion& motion) {
  const Motion::Data& data = motion.data();
  const Shape& shape = data.system->shape();
  const Summary& s = data.summary;
  const IntegrateOptions& o = data.settings.integrate;
  Table table("ll");
  table.row({"verdict", verdict(motion)});
  table.row({"degrees of freedom", fmt::format("{}: {}, {} of rank {}{}", s.dof, moving(shape),
                                               count(static_cast<long>(shape.constraints().size()), "constraint"),
                                               s.rank, with_contacts(shape, data.mode))});
  table.row(
      {"formulation", fmt::format("{}{}: {}", s.formulation,
                                  data.basis.empty() ? "" : fmt::format(" with basis {}", data.basis), s.reason)});
  const std::string begins = o.integrator == "auto" ? fmt::format(" (begins with {})", first_integrator(o)) : "";
  const bool fixed = o.integrator == "rk4" || o.integrator == "projected-bdf";
  table.row({"integrator", fixed ? fmt::format("{}: step {}{:g} s, drift {}", o.integrator,
                                               o.integrator == "rk4" ? "" : "at most ", o.step, o.drift)
                                 : fmt::format("{}{}: rtol {:g}, atol {:g}, drift {}", o.integrator, begins, o.rtol,
                                               o.atol, o.drift)});
  if (o.unknowns != IntegrateOptions().unknowns)
    table.row(
        {"unknowns", fmt::format("{}{}", o.unknowns,
                                 s.restarts > 0 ? fmt::format(", chosen again {}", count(s.restarts, "time")) : "")});
  table.row({"outcome", fmt::format("{} at t = {:.6g} s", outcome_name(s.outcome), s.t)});
  add_events(table, s.events);
  table.row({"effort", fmt::format("{}, {}, {:.3g} s of CPU time", count(s.steps, "step"),
                                   count(s.evaluations, "evaluation"), s.seconds)});
  if (shape.s_p + shape.s_v > 0)
    table.row(
        {"largest residuals",
         fmt::format("{}velocity {:.1e}", shape.s_p > 0 ? fmt::format("position {:.1e}, ", s.residual_position) : "",
                     s.residual_velocity)});
  table.row({"energy", s.energy_drift     ? fmt::format("conserved, drift {:.1e} J", *s.energy_drift)
                       : s.energy_balance ? fmt::format("balance with the work done: {:.1e} J of {:.3g} J turned over",
                                                        *s.energy_balance, *s.energy_turned_over)
                                          : "not compared: " + s.energy_note});
  if (!data.formulas.text.empty()) table.row({"formulas", data.formulas.text});
  return table;
}

std::string omitted_note(const Motion& motion) {
  const Trajectory& trajectory = motion.data().trajectory;
  std::vector<std::string> missing;
  std::unordered_set<std::string> present;
  for (const Channel& channel : trajectory.channels()) present.insert(channel.name);
  const auto look_for = [&](const std::string& name) {
    if (!present.contains(name) && !present.contains(name + " (min-norm)")) missing.push_back(name);
  };
  for (const int i : trajectory.shape().constraints())
    if (const Row& row = trajectory.shape().rows[i]; row.kind != RowKind::servo) look_for("lambda." + row.name);
  for (const Channel& output : trajectory.shape().outputs)
    if (!is_first_side(output.name)) look_for(output.name);
  if (missing.empty()) return "";
  if (missing.size() > most_names) missing = shortened(missing);
  return fmt::format(
      "note: {} omitted because constraints are redundant and {} not unique (--reactions min-norm prints the "
      "minimum-norm "
      "values; see maggi check)\n",
      list_names(missing, false) + (missing.size() == 1 ? " is" : " are"),
      missing.size() == 1 ? "its value is" : "their values are");
}

}  // namespace maggi::text

namespace maggi {

std::string to_text(const Motion& motion) {
  return fmt::format("{}\n{}{}", motion.data().title, text::facts(motion).text(),
                     text::rounding_text(*motion.data().system));
}

}  // namespace maggi
