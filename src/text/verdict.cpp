#include "text/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "simulation/check_data.hpp"
#include "simulation/motion_data.hpp"
#include "system/seam/displacement.hpp"
#include "text/words.hpp"

namespace maggi::text {

namespace {

constexpr std::size_t listed_names = 4;  // more than that are counted only

/// " (a, b)"; nothing if there are none, or too many to read.
std::string in_brackets(const std::vector<std::string>& names) {
  if (names.empty() || names.size() > listed_names) return "";
  return fmt::format(" ({})", list_names(names, false));
}

/// Behind "no degree of freedom is left": how the constraints give the motion, or what holds it at the start; empty if
/// it never moves.
std::string prescribed(const Shape& shape, const Mode& mode, bool moves) {
  const auto gives_accelerations = [&](int i) { return mode.rows[i] && shape.rows[i].level == Level::acceleration; };
  if (shape.rheonomic) return ": the constraints prescribe the motion in time";
  std::vector<std::string> held;
  for (const Contact& contact : shape.contacts)
    if (mode.rows[contact.rows[0]]) held.push_back(fmt::format("friction {} sticks", contact.name));
  for (const int i : shape.constraints())
    if (shape.rows[i].one_sided && mode.rows[i]) held.push_back(shape.rows[i].name + " presses");
  if (!held.empty()) return " at the start: " + list_names(held, false);
  return moves || std::ranges::any_of(shape.constraints(), gives_accelerations)
             ? ": the constraints prescribe the motion"
             : "";
}

std::string mobility_part(int dof, const std::vector<std::string>& independent, const std::vector<std::string>& drivers,
                          const std::string& prescribed) {
  if (dof > 0) {
    const std::string driven = drivers.empty() ? "" : fmt::format(", driven by {}", list_names(drivers, false));
    return fmt::format(
        "{} of freedom{}{}", dof == 1 ? "1 degree" : fmt::format("{} degrees", dof),
        in_brackets(static_cast<int>(independent.size()) == dof ? independent : std::vector<std::string>()), driven);
  }
  if (!drivers.empty())
    return fmt::format("no degree of freedom is left: {} {} the motion", list_names(drivers, false),
                       drivers.size() == 1 ? "prescribes" : "prescribe");
  return prescribed.empty() ? "it is locked: no degree of freedom" : "no degree of freedom is left" + prescribed;
}

std::string controls_part(const Shape& shape) {
  std::vector<std::string> names;
  for (const Channel& control : shape.controls) names.push_back(control.name);
  return names.empty() ? "" : fmt::format("controlled by {}", list_names(names, false));
}

std::string redundancy_part(const Shape& constraints, const Redundancy& redundancy) {
  const std::vector<Dependency>& all = redundancy.dependencies;
  if (constraints.m() == 0) return "";
  if (all.empty()) return "no constraint is redundant";
  std::vector<std::string> names;
  for (const Dependency& d : all) names.push_back(constraints.rows[d.row].name);
  const bool here_only = std::ranges::any_of(all, [](const Dependency& d) { return d.permanent && !*d.permanent; });
  const bool conflict = std::ranges::any_of(all, [](const Dependency& d) { return !d.compatible; });
  return fmt::format("{} redundant{}{}{}",
                     all.size() == 1 ? "1 constraint is" : fmt::format("{} constraints are", all.size()),
                     in_brackets(names), here_only ? ", some of them only in this configuration" : "",
                     conflict ? ", and in conflict with others" : "");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  return text;
}

/// Does only one body move, and its mass centre not?
bool spins(const MechanismSystem& mechanism, const State& start, const Vector& motion) {
  constexpr double at_rest = 1e-12;  // rounding of rates of size 1
  int moved = 0, carried = 0;
  for (const MechanismSystem::Placement& body : mechanism.placements({start.t, start.q, motion})) {
    moved += body.velocity.norm() + body.angular_velocity.norm() > at_rest;
    carried += body.velocity.norm() > at_rest;
  }
  return moved == 1 && carried == 0;
}

/// Free motions of joints in loops that move nothing else: a rod that spins between two balls.
std::vector<std::string> idle_motions(const Check::Data& found) {
  std::vector<std::string> names;
  const MechanismSystem* mechanism = found.mechanism();
  if (!mechanism) return names;
  const auto in_a_loop = [&](const std::string& coordinate) {
    const std::string joint = coordinate.substr(0, coordinate.find('.'));
    return std::ranges::any_of(mechanism->loops(), [&](const MechanismSystem::Loop& loop) {
      return std::ranges::find(loop.around, joint) != loop.around.end();
    });
  };
  for (std::size_t j = 0; j < found.mobility.independent.size(); ++j) {
    const int own = found.mobility.independent[j];
    const auto motion = found.mobility.motions.col(static_cast<Eigen::Index>(j));
    bool alone = true;
    for (Eigen::Index i = 0; i < motion.size(); ++i) alone &= i == own || motion[i] == 0.0;
    const std::string name = displacement_name(found.shape(), own);
    if (alone && in_a_loop(name) && spins(*mechanism, found.start, motion)) names.push_back(name);
  }
  return names;
}

}  // namespace

std::string verdict(const Check& check) {
  const Check::Data& found = check.data();
  std::vector<std::string> independent;
  for (const int i : found.mobility.independent) independent.push_back(displacement_name(found.shape(), i));
  const std::vector<std::string> idle = idle_motions(found);
  return joined({mobility_part(found.dof, independent, found.drivers,
                               prescribed(found.shape(), found.mode, largest(found.start.v) > 0.0)),
                 controls_part(found.shape()),
                 idle.empty() ? ""
                              : fmt::format("{} {} and {} nothing else", list_names(idle, false),
                                            idle.size() == 1 ? "idles" : "idle", idle.size() == 1 ? "moves" : "move"),
                 redundancy_part(found.constraints(), found.redundancy()),
                 found.early_end ? fmt::format("the motion ends at t = {:.6g} s", found.early_end->t) : "",
                 found.redundancy().singular_pose() ? "the start is a singular configuration" : ""});
}

namespace {

bool moves_at_first(const Trajectory& trajectory) {
  if (trajectory.size() == 0) return false;
  const Trajectory::Group& rates = trajectory.group("velocities");
  const double* values = trajectory.state(0) + rates.first;
  return std::any_of(values, values + rates.count, [](double v) { return v != 0.0; });
}

}  // namespace

std::string verdict(const Motion& motion) {
  const Motion::Data& data = motion.data();
  const Shape& shape = data.system->shape();
  const Redundancy* redundancy = data.certificate ? data.certificate->get() : nullptr;
  const Shape& constraints = data.certificate && data.certificate->certified() ? *data.certificate->certified() : shape;
  return joined(
      {mobility_part(data.summary.dof, {}, data.drivers, prescribed(shape, data.mode, moves_at_first(data.trajectory))),
       controls_part(shape), redundancy ? redundancy_part(constraints, *redundancy) : ""});
}

}  // namespace maggi::text
