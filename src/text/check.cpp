#include "text/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/same_axis.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "maggi/error.hpp"
#include "maggi/text.hpp"
#include "simulation/check_data.hpp"
#include "simulation/contact_states.hpp"
#include "simulation/outline.hpp"
#include "system/seam/displacement.hpp"
#include "text/certificate.hpp"
#include "text/hidden_constraints.hpp"
#include "text/rounding.hpp"
#include "text/table.hpp"
#include "text/verdict.hpp"
#include "text/words.hpp"

namespace maggi::text {

std::string energy_text(const Shape& shape) {
  if (!shape.has_energy) return "unknown: the model gives the mass matrix and the force";
  return shape.energy_changes.empty() ? "conserved" : "not conserved: " + shape.energy_changes;
}

/// How its reaction comes about.
std::string_view class_name(const Row& row) { return facts_of(row.kind).name; }

namespace {

/// Which joint holds which body, and where loops are closed.
std::string tree_text(const MechanismSystem& mechanism, const std::vector<PartialMobility>& loops) {
  Table table("lll");
  table.row({"body", "held by", "coordinates"});
  for (const MechanismSystem::Branch& branch : mechanism.tree())
    table.row({branch.body,
               branch.joint.empty() ? "nothing: it floats" : fmt::format("{} on {}", branch.joint, branch.parent),
               branch.coordinates.empty() ? "none" : list_names(branch.coordinates, false)});
  std::string text = table.text();
  if (!mechanism.loops().empty()) text += "\n";
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const MechanismSystem::Loop& loop = mechanism.loops()[k];
    text += fmt::format(
        "{} closes the loop of {}{}: {} of rank {} on {}, {} free\n", loop.joint, list_names(loop.around, false),
        loop.through.empty() ? "" : fmt::format(", by cutting {}", loop.through), count(loop.rows, "constraint"),
        loops[k].rank, count(loops[k].velocities, "speed"), loops[k].freedom());
  }
  return text;
}

/// The free motions by name: what moves, and how fast for 1 of the coordinate that is taken as independent.
std::string motions_text(const Shape& shape, const Mobility& mobility) {
  if (mobility.independent.empty()) return "";
  std::string text = "\nFree motions at the start, by the rate of one coordinate:\n";
  for (std::size_t j = 0; j < mobility.independent.size(); ++j) {
    std::string others;
    for (int i = 0; i < shape.n(); ++i)
      if (const double rate = mobility.motions(i, static_cast<int>(j)); i != mobility.independent[j] && rate != 0.0)
        others += fmt::format("{}{} = {:.4g}", others.empty() ? ":  " : ",  ", shape.velocities[i].name, rate);
    text += fmt::format("  {} = 1{}\n", shape.velocities[mobility.independent[j]].name,
                        others.empty() ? ": nothing else moves" : others);
  }
  return text;
}

std::string velocities(int n) { return fmt::format("{} {}", n, n == 1 ? "velocity" : "velocities"); }

std::string bodies(int number) { return fmt::format("{} {}", number, number == 1 ? "body" : "bodies"); }

/// The free motions as motions of the bodies: which move, and how.
std::string body_motions_text(const Check::Data& found) {
  constexpr std::size_t shown_motions = 6;
  constexpr double noise = 1e-12;  // of the largest: rounding
  const MechanismSystem& mechanism = *found.mechanism();
  const Mobility& mobility = found.mobility;
  const std::size_t motions = std::min(mobility.independent.size(), shown_motions);
  if (motions == 0) return "";
  Table table("llll");
  table.row({"free motion", "body", "velocity of its mass centre", "angular velocity"});
  for (std::size_t j = 0; j < motions; ++j) {
    State moving{found.start.t, found.start.q, mobility.motions.col(static_cast<Eigen::Index>(j))};
    std::string name = fmt::format("{} = 1", found.shape().velocities[mobility.independent[j]].name);
    const std::vector<MechanismSystem::Placement> placements = mechanism.placements(moving);
    Largest speed, rate, size;
    for (const MechanismSystem::Placement& body : placements) {
      speed.note(body.velocity.norm());
      rate.note(body.angular_velocity.norm());
      size.note(body.position.norm());
    }
    const double most_speed = std::max(speed.value(), rate.value() * size.value());
    const double most_rate = size.value() > 0.0 ? std::max(rate.value(), speed.value() / size.value()) : rate.value();
    const auto clean = [](const Eigen::Vector3d& vector, double largest) -> Eigen::Vector3d {
      return (vector.array().abs() <= noise * largest).select(0.0, vector);
    };
    for (const MechanismSystem::Placement& body : placements) {
      const Eigen::Vector3d v = clean(body.velocity, most_speed), w = clean(body.angular_velocity, most_rate);
      if (v.isZero(0.0) && w.isZero(0.0)) continue;
      table.row({std::exchange(name, ""), body.body, v.isZero(0.0) ? "" : components(v, mechanism.planar()),
                 w.isZero(0.0)        ? ""
                 : mechanism.planar() ? number(w[2])
                                      : components(w, false)});
    }
  }
  return "\n" + table.text();
}

std::string same_axes_text(const Check::Data& found) {
  std::string text;
  for (const SameAxis& each : find_same_axes(*found.mechanism(), found.start))
    text += fmt::format(
        "\nnote: {} and {} have the same axis: one forth and the other back moves only {} (was an axis "
        "meant to be different?)\n",
        each.first, each.second, each.between);
  return text;
}

std::string levels(const Shape& shape) {
  std::vector<std::string> parts;
  for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
    const std::vector<int> rows = shape.constraints();
    const auto number = std::ranges::count_if(rows, [&](int i) { return shape.rows[i].level == level; });
    if (number > 0) parts.push_back(fmt::format("{} of {} level", number, level_name(level)));
  }
  return list_names(parts, false);
}

/// "tip": friction on "floor", slides
std::string contacts_text(const Shape& shape, const Mode& mode) {
  if (shape.laws.empty()) return "";
  Table table("lll");
  table.row({"law", "uses the reaction of", "at the start"});
  for (std::size_t i = 0; i < shape.laws.size(); ++i) {
    const auto contact = std::ranges::find_if(shape.contacts, [&](const Contact& c) {
      return std::ranges::find(c.laws, static_cast<int>(i)) != c.laws.end();
    });
    if (contact == shape.contacts.end()) {
      table.row({shape.laws[i].name, "", ""});
      continue;
    }
    std::vector<std::string> pressed;
    for (const int row : contact->pressed) pressed.push_back(shape.rows[row].name);
    table.row({shape.laws[i].name, list_names(pressed, false), state_of(*contact, mode)});
  }
  return "\n" + table.text();
}

std::vector<std::string> names_of_controls(const Shape& shape, const std::vector<int>& some) {
  std::vector<std::string> names;
  for (const int i : some) names.push_back(shape.controls[i].name);
  return names;
}

std::string realisation_text(const Check::Data& found) {
  const ServoRealisation& r = *found.realisation;
  std::string text = fmt::format(
      "{}: the controls reach {} of {} servo constraints at once; index {}, {}", realisation_name(r.kind), r.rank,
      r.servo, r.index,
      r.internal == 0 ? "no internal dynamics" : "internal dynamics of " + count(r.internal, "degree") + " of freedom");
  for (const auto& terms : r.unreached) text += "; none reaches " + sum_text(found.shape(), terms);
  if (r.free == 0) return text;
  return text + fmt::format("; {} for {}: {} of {} can be chosen, shown are those with the least sum of squares",
                            count(r.controls, "control"), count(r.servo, "servo constraint"), r.free,
                            list_names(names_of_controls(found.shape(), r.not_unique), false));
}

/// "2 ideal and 1 servo", with the symbols of the theory.
std::string classes(const Shape& shape) {
  std::vector<std::string> parts;
  for (int k = 0; k < row_kinds; ++k) {
    const auto kind = static_cast<RowKind>(k);
    int rows = 0;
    for (const int i : shape.constraints()) rows += shape.rows[i].kind == kind ? 1 : 0;
    if (rows > 0) parts.push_back(fmt::format("{} {}", rows, facts_of(kind).name));
  }
  return fmt::format("{}; s_p = {}, s_v = {}, s_a = {}; {}", list_names(parts, false), shape.s_p, shape.s_v, shape.s_a,
                     shape.rheonomic ? "rheonomic" : "scleronomic");
}

std::string mobility_text(const Shape& shape, const Mobility& mobility) {
  Table table("lrl");
  table.row({"coordinate", "constrained", ""});
  for (int i = 0; i < shape.n(); ++i) {
    const bool independent = std::binary_search(mobility.independent.begin(), mobility.independent.end(), i);
    table.row({displacement_name(shape, i),
               mobility.constrained.size() > 0 ? fmt::format("{:.4f}", mobility.constrained[i]) : "",
               independent ? "independent" : ""});
  }
  const char* singular = "How strongly is not known: the mass matrix is singular, as some motion has no inertia.\n";
  return table.text() + (mobility.constrained.size() > 0 ? "" : singular);
}

std::string rows_text(const Shape& shape, const Redundancy& redundancy) {
  Table table("lll");
  table.row({"constraint", "level", "multiplier"});
  for (const int i : shape.constraints())
    table.row({shape.rows[i].name, std::string(level_name(shape.rows[i].level)),
               shape.rows[i].one_sided           ? "one-sided"
               : !shape.rows[i].active_at_start  ? "off at the start"
               : !shape.rows[i].has_multiplier() ? "none: servo"
               : redundancy.unique[i]            ? "unique"
                                                 : "not unique"});
  return table.text();
}

std::string check_text(const Check& check) {
  const Check::Data& found = check.data();
  const Shape &shape = found.shape(), &constraints = found.constraints();
  const Redundancy &redundancy = found.redundancy(), &reduced = found.reduced;
  const Mobility& mobility = found.mobility;
  const MechanismSystem* mechanism = found.mechanism();
  std::vector<std::string> coordinates;
  for (const Channel& q : shape.coordinates) coordinates.push_back(q.name);
  Table facts("ll");
  facts.row({"verdict", verdict(check)});
  facts.row({"coordinates", shape.nq() == shape.n()
                                ? fmt::format("{}: {}", shape.nq(), list_names(coordinates, false))
                                : fmt::format("{}, moved by {}: {}", shape.nq(), velocities(shape.n()),
                                              list_names(coordinates, false))});
  facts.row({"constraints", constraints.m() == 0 ? "none"
                            : mechanism          ? constraints_of_mechanism(found)
                                        : fmt::format("{}: {}", constraints.constraints().size(), levels(shape))});
  if (shape.m() > 0 && !mechanism) facts.row({"classes", classes(shape)});
  if (constraints.m() > 0)
    facts.row({"rank", redundancy.dependencies.empty()
                           ? fmt::format("{}{}: all constraints are independent", redundancy.rank,
                                         with_contacts(shape, found.mode))
                           : fmt::format("{}: {} redundant", redundancy.rank,
                                         count(static_cast<long>(redundancy.dependencies.size()), "constraint"))});
  if (mechanism)
    facts.row({"in joint coordinates",
               fmt::format("{}, {} of rank {}", velocities(shape.n()), count(shape.m(), "constraint"), reduced.rank)});
  const int free = found.dof + found.second_order;  // to first order
  const std::string second_order =
      found.second_order > 0 ? fmt::format(" − {} that the second order forbids", found.second_order) : "";
  facts.row({"degrees of freedom",
             mechanism ? fmt::format("{} = {} of {} − rank {}{}", found.dof, velocities(constraints.n()),
                                     bodies(constraints.n() / (mechanism->planar() ? 3 : 6)), constraints.n() - free,
                                     second_order)
                       : fmt::format("{} = {} − rank {}{}", found.dof,
                                     shape.identity_rates ? count(shape.n(), "coordinate") : velocities(shape.n()),
                                     shape.n() - free, second_order)});
  facts.row({"free at the start",
             fmt::format("n_p = {}, n_v = {}: {}, {} can be chosen", found.free_positions, found.free_velocities,
                         count(found.free_positions, "position"), count(found.free_velocities, "speed"))});
  if (const std::vector<std::string> contacts = contact_states(*found.system, found.start, found.mode);
      !contacts.empty())
    facts.row({"contacts", list_names(contacts, false)});
  if (found.realisation) facts.row({"realisation", realisation_text(found)});
  if (shape.m() > 0)
    facts.row({"distance to singularity",
               fmt::format("{:.2g} (smallest sine between one constraint and the span of the others; rank tolerance "
                           "{:.0e})",
                           reduced.distance_to_singularity, reduced.tolerance)});
  facts.row({"energy", energy_text(shape)});
  facts.row({"formulation", fmt::format("{}: {}", found.formulation, found.reason)});
  std::string text = fmt::format("{}\n{}", found.title, facts.text());

  if (mechanism)
    text += "\n" + tree_text(*mechanism, found.loops) + joints_text(constraints, redundancy);
  else if (shape.m() > 0)
    text += "\n" + rows_text(shape, redundancy) + contacts_text(shape, found.mode);
  if (!mobility.left_out.empty())
    text += fmt::format("\nHow far each coordinate is constrained and the free motions are left out: {}.\n",
                        mobility.left_out);
  else if (shape.m() > 0)
    text += "\n" + mobility_text(shape, mobility) + motions_text(shape, mobility);
  if (mechanism && mobility.left_out.empty()) text += body_motions_text(found);
  if (mechanism) text += same_axes_text(found);
  if (!found.note.empty()) text += fmt::format("\nnote: {}\n", found.note);
  if (found.early_end) text += fmt::format("\nThe motion ends before its time: {}\n", found.early_end->why);
  return text + rounding_text(*found.system) + certificate_text(found) + hidden_text(found.hidden);
}

/// Counts at the guess, and which joint holds which body.
std::string outline_text(const Outline& found) {
  const Shape& shape = found.system->shape();
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(found.system.get());
  std::vector<std::string> coordinates, constraints;
  for (const Channel& q : shape.coordinates) coordinates.push_back(q.name);
  for (const int i : shape.constraints()) constraints.push_back(shape.rows[i].name);
  Table facts("ll");
  const bool too_many = std::max(found.given_positions, found.given_velocities) > found.dof;
  facts.row({"verdict", "no consistent start" +
                            (too_many ? fmt::format("; {} and {} are given for {} of freedom at the guess",
                                                    count(found.given_positions, "position"),
                                                    count(found.given_velocities, "speed"), count(found.dof, "degree"))
                                      : "")});
  facts.row({"coordinates", fmt::format("{}: {}", shape.nq(), list_names(coordinates, false))});
  facts.row({"constraints",
             constraints.empty() ? "none" : fmt::format("{}: {}", constraints.size(), list_names(constraints, false))});
  facts.row({"degrees of freedom",
             fmt::format("{} = {} − rank {} at the guess", found.dof, velocities(shape.n()), found.rank)});
  return fmt::format("{}\n{}{}", found.title, facts.text(),
                     mechanism ? "\n" + tree_text(*mechanism, std::vector<PartialMobility>()) : "");
}

}  // namespace

}  // namespace maggi::text

namespace maggi {

std::string to_text(const Check& check) { return text::check_text(check); }

std::string outline_text(const Model& model) {
  const std::optional<PartialCheck> part = check_what_can_be(model);
  std::string text;
  if (!part || part->of_start) {
    try {
      text = text::outline_text(Outline(model));
    } catch (const Error&) {}  // the model is wrong, as a friction that is on nothing; the caller knows why
  }
  if (part) text += fmt::format("Without {}, check says:\n{}", part->without, to_text(part->check));
  return text;
}

}  // namespace maggi
