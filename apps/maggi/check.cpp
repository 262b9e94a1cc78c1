// maggi check: what a model is, before it runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "analysis/mobility.hpp"
#include "analysis/redundancy.hpp"
#include "analysis/servo.hpp"
#include "at_start.hpp"
#include "base/names.hpp"
#include "commands.hpp"
#include "dynamics/dynamics.hpp"
#include "io/json/json.hpp"
#include "output.hpp"
#include "start/initial_conditions.hpp"
#include "system/seam/displacement.hpp"
#include "system/seam/mechanism_system.hpp"
#include "table.hpp"

namespace maggi::app {

namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  ModelChoice model;
  bool json = false;
};

/// All that is known about a model at its start.
struct Findings {
  const Shape& shape;
  const Dynamics& dynamics;
  const InitialConditions& start;
  const Shape& constraints;  ///< whose rows the certificate is about: of a mechanism, those of all joints
  Redundancy redundancy;     ///< the certificate
  Redundancy reduced;        ///< of the rows of `shape`; the same unless the model is a mechanism
  Mobility mobility;
  const HiddenConstraints& hidden_constraints;
  std::optional<ServoRealisation> realisation;
  const MechanismSystem* mechanism;      ///< null if the model is made of formulas
  std::vector<PartialMobility> loops{};  ///< each by itself
};

std::string energy_text(const Shape& shape) {
  if (!shape.has_energy) return "unknown: the model gives the mass matrix and the force";
  return shape.energy_changes.empty() ? "conserved" : "not conserved: " + shape.energy_changes;
}

/// Names of rows that hide a further condition; null where that cannot be said: in a singular pose, or if no nearby
/// pose could be reached.
Json hidden(const Findings& found) {
  Json names = Json::array();
  for (const Dependency& d : found.redundancy.dependencies) {
    if (!d.permanent || found.redundancy.singular_pose()) return nullptr;
    if (d.hides_condition) names.push_back(found.constraints.rows[d.row].name);
  }
  return names;
}

/// How far the constraints hold each coordinate, by name; null if the mass matrix is singular.
Json constrained(const Findings& found) {
  if (found.mobility.constrained.size() == 0) return nullptr;
  Json json = Json::object();
  for (int i = 0; i < found.shape.n(); ++i) json[displacement_name(found.shape, i)] = found.mobility.constrained[i];
  return json;
}

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

Json tree_json(const MechanismSystem& mechanism) {
  Json json = Json::array();
  for (const MechanismSystem::Branch& branch : mechanism.tree())
    json.push_back({{"body", branch.body},
                    {"joint", branch.joint.empty() ? Json(nullptr) : Json(branch.joint)},
                    {"on", branch.parent},
                    {"coordinates", branch.coordinates}});
  return json;
}

Json loops_json(const MechanismSystem& mechanism, const std::vector<PartialMobility>& loops) {
  Json json = Json::array();
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const MechanismSystem::Loop& loop = mechanism.loops()[k];
    json.push_back({{"joint", loop.joint},
                    {"around", loop.around},
                    {"constraints", loop.rows},
                    {"rank", loops[k].rank},
                    {"dof", loops[k].freedom()},
                    {"cut", loop.through.empty() ? loop.joint : loop.through}});
  }
  return json;
}

/// How its reaction comes about.
const char* class_name(const Row& row) {
  switch (row.kind) {
    case RowKind::ideal: return "ideal";
    case RowKind::with_law: return "with law";
    case RowKind::sticking: return "sticking";
    case RowKind::servo: return "servo";
  }
  return "";
}

Json realisation_json(const Findings& found) {
  if (!found.realisation) return nullptr;
  const ServoRealisation& r = *found.realisation;
  Json json{{"kind", realisation_name(r.kind)},
            {"controls", r.controls},
            {"rank", r.rank},
            {"index", r.index},
            {"internal", r.internal}};
  json["unreached"] = Json::array();
  for (const auto& terms : r.unreached) {
    Json combination = Json::object();
    for (const Dependency::Term& term : terms) combination[found.shape.rows[term.row].name] = term.factor;
    json["unreached"].push_back(combination);
  }
  return json;
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

Json motions_json(const Shape& shape, const Mobility& mobility) {
  Json json = Json::array();
  for (Eigen::Index j = 0; j < mobility.motions.cols(); ++j) {
    Json motion = Json::object();
    for (int i = 0; i < shape.n(); ++i)
      if (mobility.motions(i, j) != 0.0) motion[shape.velocities[i].name] = mobility.motions(i, j);
    json.push_back(std::move(motion));
  }
  return json;
}

/// What the certificate of the joints does not know: dependencies in which drivers, couplings and other formulas have a
/// part.
std::vector<Dependency> beyond_joints(const Findings& found) {
  std::vector<Dependency> result;
  if (!found.mechanism) return result;
  const auto is_of_joint = [&](int row) {
    const Row& each = found.shape.rows[row];
    return each.component.starts_with("cut_") ||
           std::ranges::find(found.constraints.rows, each.name, &Row::name) != found.constraints.rows.end();
  };
  for (const Dependency& d : found.reduced.dependencies)
    if (!is_of_joint(d.row) ||
        std::ranges::any_of(d.combination, [&](const Dependency::Term& term) { return !is_of_joint(term.row); }))
      result.push_back(d);
  return result;
}

Json to_json(const Findings& found) {
  const auto& [shape, dynamics, start, constraints, redundancy, reduced, mobility, hidden_constraints, realisation,
               mechanism, loops] = found;
  Json json;
  json["format_version"] = 1;
  json["title"] = shape.title;
  json["dof"] = dynamics.freedom();
  json.update(Json::parse(redundancy_json(constraints, redundancy)));
  json["distance_to_singularity"] = reduced.distance_to_singularity;  // of the equations that are solved
  json["rank_tolerance"] = reduced.tolerance;
  json["coordinates"] = Json::array();
  for (const Channel& q : shape.coordinates) json["coordinates"].push_back(q.name);
  json["constrained"] = constrained(found);
  json["independent"] = Json::array();
  for (const int i : mobility.independent) json["independent"].push_back(displacement_name(shape, i));
  json["motions"] = motions_json(shape, mobility);
  if (!mobility.left_out.empty()) {
    json["independent"] = json["motions"] = nullptr;
    json["left_out"] = {{"constrained, independent, motions", mobility.left_out}};
  }
  json["constraints"] = Json::array();
  for (const int i : constraints.constraints()) {
    const Row& row = constraints.rows[i];
    json["constraints"].push_back({{"name", row.name},
                                   {"level", level_name(row.level)},
                                   {"active", row.active_at_start},
                                   {"class", class_name(row)},
                                   {"hidden", row.hidden}});
  }
  json["hidden"] = hidden(found);
  json["hidden_constraints"] = Json::array();
  for (const HiddenConstraint& h : hidden_constraints.found)
    json["hidden_constraints"].push_back({{"name", h.constraint.name},
                                          {"level", level_name(h.constraint.level)},
                                          {"formula", h.constraint.formula.text},
                                          {"from", h.from},
                                          {"derivatives", h.derivatives}});
  if (!hidden_constraints.unfinished.empty()) json["hidden_unfinished"] = hidden_constraints.unfinished;
  json["realisation"] = realisation_json(found);
  json["counts"] = {{"s_p", shape.s_p},
                    {"s_v", shape.s_v},
                    {"s_a", shape.s_a},
                    {"n_p", start.free_positions},
                    {"n_v", start.free_velocities}};
  if (mechanism) {
    json["tree"] = tree_json(*mechanism);
    json["loops"] = loops_json(*mechanism, found.loops);
    json["reduced"] = {{"constraints", shape.m()}, {"rank", reduced.rank}, {"redundant", Json::array()}};
    for (const Dependency& d : beyond_joints(found)) {
      Json combination = Json::object();
      for (const Dependency::Term& term : d.combination) combination[shape.rows[term.row].name] = term.factor;
      json["reduced"]["redundant"].push_back({{"row", shape.rows[d.row].name}, {"combination", combination}});
    }
  }
  json["free"] = {{"q", start.free_positions}, {"v", start.free_velocities}};
  json["energy"] = energy_text(shape);
  json["formulation"] = dynamics.formulation();
  json["reason"] = dynamics.reason();
  return json;
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
    table.row({shape.laws[i].name, list_names(pressed, false), mode.rows[contact->rows[0]] ? "sticks" : "slides"});
  }
  return "\n" + table.text();
}

std::string sum_text(const Shape& shape, const std::vector<Dependency::Term>& terms) {
  std::string text;
  for (const Dependency::Term& term : terms) {
    const bool first = &term == &terms.front();
    text += term.factor < 0 ? (first ? "−" : " − ") : (first ? "" : " + ");
    const std::string factor = number(std::abs(term.factor));
    text += factor == "1" ? shape.rows[term.row].name : factor + " " + shape.rows[term.row].name;
  }
  return text;
}

std::string combination_text(const Shape& shape, const Dependency& d) {
  if (d.combination.empty()) return fmt::format("{} has no effect here: its row of C is zero", shape.rows[d.row].name);
  return fmt::format("{} = {}", shape.rows[d.row].name, sum_text(shape, d.combination));
}

std::string realisation_text(const Findings& found) {
  const ServoRealisation& r = *found.realisation;
  std::string text = fmt::format(
      "{}: the controls reach {} of {} servo constraints at once; index {}, {}", realisation_name(r.kind), r.rank,
      r.controls, r.index,
      r.internal == 0 ? "no internal dynamics" : "internal dynamics of " + count(r.internal, "degree") + " of freedom");
  for (const auto& terms : r.unreached) text += "; none reaches " + sum_text(found.shape, terms);
  return text;
}

/// "2 ideal and 1 servo", with the symbols of the theory.
std::string classes(const Shape& shape) {
  std::vector<std::string> parts;
  for (const RowKind kind : {RowKind::ideal, RowKind::with_law, RowKind::servo}) {
    int rows = 0;
    const Row* any = nullptr;
    for (const int i : shape.constraints())
      if (shape.rows[i].kind == kind) ++rows, any = &shape.rows[i];
    if (any != nullptr) parts.push_back(fmt::format("{} {}", rows, class_name(*any)));
  }
  return fmt::format("{}; s_p = {}, s_v = {}, s_a = {}; {}", list_names(parts, false), shape.s_p, shape.s_v, shape.s_a,
                     shape.rheonomic ? "rheonomic" : "scleronomic");
}

std::string verdict(const Dependency& d) {
  const char* lasting = !d.permanent   ? "whether it lasts is not known: no nearby pose could be reached"
                        : *d.permanent ? "permanent"
                                       : "only in this pose";
  return fmt::format("{}, {}{}", lasting, d.compatible ? "compatible" : "in conflict with the others",
                     d.hides_condition ? ", but not nearby: it hides a further condition on the motion" : "");
}

std::string beyond_joints_text(const Findings& found) {
  const std::vector<Dependency> dependencies = beyond_joints(found);
  if (dependencies.empty()) return "";
  Table table("ll");
  for (const Dependency& d : dependencies) table.row({combination_text(found.shape, d), verdict(d)});
  return "\nRedundant constraints in joint coordinates, with drivers, couplings and formulas:\n" + table.text();
}

std::string certificate_text(const Findings& found) {
  const auto& [shape, dynamics, start, constraints, redundancy, reduced, mobility, hidden_constraints, realisation,
               mechanism, loops] = found;
  if (redundancy.dependencies.empty()) return "";
  std::string text = mechanism ? "\nRedundant constraints at the start, among those of all joints:\n"
                               : "\nRedundant constraints, as rows of C at the start:\n";
  Table table("ll");
  for (const Dependency& d : redundancy.dependencies) table.row({combination_text(constraints, d), verdict(d)});
  text += table.text();
  std::vector<std::string> open;
  for (const int i : constraints.constraints())
    if (!redundancy.unique[i]) open.push_back(constraints.rows[i].name);
  if (!mechanism && !open.empty())  // whose joints have a table of their own
    text += fmt::format("Multipliers that are not unique: {}; their sum in Cᵀλ is.\n", list_names(open, false));
  if (redundancy.singular_pose())
    text += fmt::format(
        "The start is a singular pose: the rank is {} here and {} nearby. Reactions may be unbounded close to it;\n"
        "start elsewhere unless this pose is what you study.\n",
        redundancy.rank, redundancy.rank_nearby);
  return text;
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
  return table.text();
}

std::string rows_text(const Shape& shape, const Redundancy& redundancy) {
  Table table("lll");
  table.row({"constraint", "level", "multiplier"});
  for (const int i : shape.constraints())
    table.row({shape.rows[i].name, std::string(level_name(shape.rows[i].level)),
               shape.rows[i].one_sided                ? "one-sided"
               : !shape.rows[i].active_at_start       ? "off at the start"
               : shape.rows[i].kind == RowKind::servo ? "none: servo"
               : redundancy.unique[i]                 ? "unique"
                                                      : "not unique"});
  return table.text();
}

/// Which reactions of each joint the equations determine.
std::string joints_text(const Shape& constraints, const Redundancy& redundancy) {
  Table table("lll");
  table.row({"joint", "reactions", "not unique"});
  std::vector<std::string> owners;
  std::unordered_map<std::string, std::vector<int>> rows_of;  // which stand apart if they are of different levels
  for (int i = 0; i < constraints.m(); ++i) {
    std::vector<int>& rows = rows_of[constraints.rows[i].owner];
    if (rows.empty()) owners.push_back(constraints.rows[i].owner);
    rows.push_back(i);
  }
  for (const std::string& owner : owners) {
    std::vector<std::string> unique, open;
    for (const int i : rows_of[owner]) (redundancy.unique[i] ? unique : open).push_back(constraints.rows[i].component);
    table.row({owner, unique.empty() ? "none" : list_names(unique, false), list_names(open, false)});
  }
  return table.text();
}

std::string to_text(const Findings& found, const std::string& file) {
  const auto& [shape, dynamics, start, constraints, redundancy, reduced, mobility, hidden_constraints, realisation,
               mechanism, loops] = found;
  std::vector<std::string> coordinates;
  for (const Channel& q : shape.coordinates) coordinates.push_back(q.name);
  Table facts("ll");
  facts.row({"coordinates", fmt::format("{}: {}", shape.nq(), list_names(coordinates, false))});
  facts.row({"constraints", constraints.m() == 0 ? "none"
                            : mechanism          ? fmt::format("{}: of all joints", constraints.m())
                                        : fmt::format("{}: {}", constraints.constraints().size(), levels(shape))});
  if (shape.m() > 0 && !mechanism) facts.row({"classes", classes(shape)});
  if (constraints.m() > 0)
    facts.row({"rank", redundancy.dependencies.empty()
                           ? fmt::format("{}{}: all constraints are independent", redundancy.rank,
                                         with_contacts(shape, dynamics.mode()))
                           : fmt::format("{}: {} redundant", redundancy.rank,
                                         count(static_cast<long>(redundancy.dependencies.size()), "constraint"))});
  if (mechanism)
    facts.row(
        {"in joint coordinates",
         fmt::format("{}, {} of rank {}", fmt::format("{} {}", shape.n(), shape.n() == 1 ? "velocity" : "velocities"),
                     count(shape.m(), "constraint"), reduced.rank)});
  facts.row({"degrees of freedom",
             fmt::format("{}: {} less rank", dynamics.freedom(), shape.identity_rates ? "coordinates" : "velocities")});
  facts.row({"free at the start",
             fmt::format("n_p = {}, n_v = {}: {}, {} can be chosen", start.free_positions, start.free_velocities,
                         count(start.free_positions, "position"), count(start.free_velocities, "speed"))});
  if (realisation) facts.row({"realisation", realisation_text(found)});
  if (shape.m() > 0)
    facts.row({"to singularity",
               fmt::format("{:.2g}: smallest sine between a constraint and the others; dependent below {:.0e}",
                           reduced.distance_to_singularity, reduced.tolerance)});
  facts.row({"energy", energy_text(shape)});
  facts.row({"formulation", fmt::format("{}: {}", dynamics.formulation(), dynamics.reason())});
  std::string text = fmt::format("{}\n{}", title(shape, file), facts.text());

  if (mechanism)
    text += "\n" + tree_text(*mechanism, found.loops) + "\n" + joints_text(constraints, redundancy);
  else if (shape.m() > 0)
    text += "\n" + rows_text(shape, redundancy) + contacts_text(shape, dynamics.mode());
  if (!mobility.left_out.empty())
    text += fmt::format("\nHow far each coordinate is constrained and the free motions are left out: {}.\n",
                        mobility.left_out);
  else if (shape.m() > 0)
    text += "\n" + mobility_text(shape, mobility) + motions_text(shape, mobility);
  return text + certificate_text(found) + beyond_joints_text(found) + hidden_text(hidden_constraints);
}

std::vector<PartialMobility> loops_of(const MechanismSystem& mechanism, AtStart& at) {
  std::unordered_map<std::string, std::vector<int>> rows_of;  // joints
  for (int i = 0; i < at.shape().m(); ++i) rows_of[at.shape().rows[i].owner].push_back(i);
  std::vector<std::vector<int>> groups;
  for (const MechanismSystem::Loop& loop : mechanism.loops()) {
    groups.emplace_back();
    for (const int i : rows_of[loop.joint]) {
      const Row& row = at.shape().rows[i];
      if (!row.one_sided && row.component.starts_with("cut_") == !loop.through.empty()) groups.back().push_back(i);
    }
  }
  return find_mobility_of(groups, at.dynamics(), at.start().state, at.start().acceleration);
}

void check(const CheckOptions& options) {
  AtStart at(options.model);
  const State& state = at.start().state;
  const Redundancy reduced = find_redundancy(at.dynamics(), state);
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(&at.system());
  std::unique_ptr<MechanismSystem> absolute;
  Redundancy certificate = reduced;
  if (mechanism) {
    absolute = MechanismSystem::make_absolute(options.model.read());
    certificate = find_redundancy_of_joints(*absolute, mechanism->absolute(state), at.dynamics(), state);
  }
  const Findings found{at.shape(),
                       at.dynamics(),
                       at.start(),
                       absolute ? absolute->shape() : at.shape(),
                       std::move(certificate),
                       reduced,
                       find_mobility(at.dynamics(), state, at.start().acceleration),
                       at.hidden(),
                       find_realisation(at.dynamics(), state, at.hidden()),
                       mechanism,
                       mechanism ? loops_of(*mechanism, at) : std::vector<PartialMobility>{}};
  if (options.json)
    print(to_json(found).dump(2) + "\n");
  else
    print(to_text(found, options.model.file));
}

}  // namespace

void add_check(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Degrees of freedom, rank, redundant constraints, unique reactions");
  options->model.add_to(*command);
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer(
      "Example:\n"
      "  maggi check models/four_bar_cut_ground.toml\n\n"
      "A redundant constraint is shown as a combination of the others, with the verdict whether that is so everywhere\n"
      "or in the start pose only, and whether it agrees with them or contradicts them.");
  command->callback([options] { check(*options); });
}

}  // namespace maggi::app
