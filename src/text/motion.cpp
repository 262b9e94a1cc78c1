#include "text/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "integration/method/integrators.hpp"
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
    constexpr double rounding = 1e-12;  // of the largest
    Largest largest;
    for (const auto& [name, value] : event.impulses) largest.note(value);
    std::string impulses;
    for (const auto& [name, value] : event.impulses)
      impulses += fmt::format("{}{} {:.6g}", impulses.empty() ? "; impulses " : ", ", name,
                              std::abs(value) <= rounding * largest.value() ? 0.0 : value);
    if (!impulses.empty()) impulses += fmt::format("; energy lost {:.6g} J", event.energy_lost);
    table.row(
        {i == 0 ? "events" : "", fmt::format("t = {:.9g} s: {} {}{}", event.t, event.name, event.what, impulses)});
  }
  if (events.size() > most) table.row({"", fmt::format("and {} more, in summary.json", events.size() - most)});
}

/// Names with a common owner, for people: "force.y and torque.x of main, big and small; lambda.end".
class NamesByOwner {
 public:
  /// `owner` of "main.force.y": "main"; empty: the name stands alone.
  void add(const std::string& name, const std::string& owner) {
    if (owner.empty()) return alone_.push_back(name);
    const auto found = std::ranges::find(parts_of_, owner, &Parts::first);
    Parts& parts = found != parts_of_.end() ? *found : parts_of_.emplace_back(owner, std::vector<std::string>());
    parts.second.push_back(name.substr(owner.size() + 1));
  }
  std::size_t size() const { return alone_.size() + parts_of_.size(); }

  /// Owners with the same parts stand together.
  std::string text() const {
    std::vector<std::string> groups;
    std::vector<std::vector<std::string>> done;
    for (const auto& [owner, parts] : parts_of_) {
      if (std::ranges::find(done, parts) != done.end()) continue;
      std::vector<std::string> owners;
      for (const auto& [other, same] : parts_of_)
        if (same == parts) owners.push_back(other);
      groups.push_back(parts.size() + owners.size() == 2
                           ? owner + "." + parts.front()
                           : fmt::format("{} of {}", list_names(parts, false), list_names(owners, false)));
      done.push_back(parts);
    }
    if (!alone_.empty()) groups.push_back(list_names(alone_, false));
    return fmt::format("{}", fmt::join(groups, "; "));
  }

 private:
  using Parts = std::pair<std::string, std::vector<std::string>>;
  std::vector<Parts> parts_of_;
  std::vector<std::string> alone_;
};

/// "hinge.first.force.x": what is said of the other side of the joint goes for this one.
bool is_first_side(const std::string& name) {
  return name.find(".first.force") != std::string::npos || name.find(".first.torque") != std::string::npos;
}

/// The energy is called conserved where its drift is small against the energy turned over.
std::string drift_text(double drift, double turned_over) {
  constexpr double small = 1e-3, rounding = 1e-12;
  if (drift <= std::max(small * turned_over, rounding)) return fmt::format("conserved, drift {:.1e} J", drift);
  return fmt::format("drift {:.2g} J of {:.3g} J turned over: {:.2g} %, more than small tolerances leave", drift,
                     turned_over, 100 * drift / turned_over);
}

/// "3 coordinates"; "6 velocities" where there are more coordinates than that.
std::string moving(const Shape& shape) {
  if (shape.nq() == shape.n()) return count(shape.n(), "coordinate");
  return fmt::format("{} {}", shape.n(), shape.n() == 1 ? "velocity" : "velocities");
}

/// How often the basis of tangent velocities that are shown was chosen again.
long selections(const Trajectory& trajectory) {
  const std::optional<int> channel = trajectory.find("tangent.selection");
  if (!channel || trajectory.size() == 0) return 0;
  return std::lround(trajectory(trajectory.size() - 1, *channel));
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
  const std::string begins =
      o.integrator == Integrator::automatic ? fmt::format(" (begins with {})", Choice(first_integrator(o)).name()) : "";
  const IntegratorFacts& integrator = integration::entry_of(o.integrator);
  table.row({"integrator",
             integrator.has_given_step()
                 ? fmt::format("{}: step {}{:g} s, drift {}", integrator.name,
                               integrator.step == IntegratorFacts::Step::even ? "at most " : "", o.step, o.drift.name())
                 : fmt::format("{}{}: rtol {:g}, atol {:g}, drift {}", integrator.name, begins, o.rtol, o.atol,
                               o.drift.name())});
  if (o.unknowns != IntegrateOptions().unknowns)
    table.row(
        {"unknowns", fmt::format("{}{}", o.unknowns.name(),
                                 s.restarts > 0 ? fmt::format(", chosen again {}", count(s.restarts, "time")) : "")});
  if (const long again = selections(data.trajectory); again > 0)
    table.row(
        {"tangent velocities",
         fmt::format("u jumps where tangent.selection changes: the basis was chosen again {}", count(again, "time"))});
  table.row({"outcome", fmt::format("{} at t = {:.6g} s", outcome_name(s.outcome), s.t)});
  add_events(table, s.events);
  table.row({"effort", fmt::format("{}, {}, {:.3g} s of CPU time", count(s.steps, "step"),
                                   count(s.evaluations, "evaluation"), s.seconds)});
  if (shape.s_p + shape.s_v > 0)
    table.row(
        {"largest residuals",
         fmt::format("{}velocity {:.1e}", shape.s_p > 0 ? fmt::format("position {:.1e}, ", s.residual_position) : "",
                     s.residual_velocity)});
  if (const std::vector<std::string>& open = data.trajectory.open_controls(); !open.empty())
    table.row(
        {"not unique", list_names(open, false) + ": of more controls than servo constraints the least sum of squares"});
  table.row({"energy", s.energy_drift     ? drift_text(*s.energy_drift, *s.energy_turned_over)
                       : s.energy_balance ? fmt::format("balance with the work done: {:.1e} J of {:.3g} J turned over",
                                                        *s.energy_balance, *s.energy_turned_over)
                                          : "not compared: " + s.energy_note});
  if (!data.formulas.text.empty()) table.row({"formulas", data.formulas.text});
  return table;
}

std::string omitted_note(const Motion& motion) {
  const Trajectory& trajectory = motion.data().trajectory;
  NamesByOwner missing;
  std::unordered_set<std::string> present;
  for (const Channel& channel : trajectory.channels()) present.insert(channel.name);
  const auto is_missing = [&](const std::string& name) {
    return !present.contains(name) && !present.contains(name + " (min-norm)");
  };
  for (const Channel& output : trajectory.shape().outputs)
    if (!is_first_side(output.name) && is_missing(output.name)) missing.add(output.name, joint_of_force(output));
  for (const int i : trajectory.shape().constraints())
    if (const Row& row = trajectory.shape().rows[i]; row.has_multiplier() && is_missing("lambda." + row.name))
      missing.add("lambda." + row.name, "");
  if (missing.size() == 0) return "";
  std::string note = fmt::format(
      "note: left out, because {} are redundant and these values are not unique: {} (--reactions min-norm "
      "prints the minimum-norm values; see maggi check)\n",
      trajectory.open_controls().empty() ? "constraints" : "controls or constraints", missing.text());
  if (!motion.data().certificate) return note;
  for (const Certificate::OtherFrame& other : motion.data().certificate->other_frames) {
    NamesByOwner there;
    for (const Channel& output : other.outputs) there.add(output.name, joint_of_force(output));
    note += fmt::format("note: reaction_frame = \"{}\" gives {}\n",
                        reaction_frame_names()[static_cast<std::size_t>(other.frame)], there.text());
  }
  return note;
}

}  // namespace maggi::text

namespace maggi {

std::string to_text(const Motion& motion) {
  return fmt::format("{}\n{}{}", motion.data().title, text::facts(motion).text(),
                     text::rounding_text(*motion.data().system));
}

}  // namespace maggi
