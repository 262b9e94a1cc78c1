#include "text/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/names.hpp"
#include "text/table.hpp"
#include "text/words.hpp"

namespace maggi::text {

std::string components(const Eigen::Vector3d& x, bool planar) {
  return planar ? fmt::format("({:.4g}, {:.4g})", x[0] + 0.0, x[1] + 0.0)
                : fmt::format("({:.4g}, {:.4g}, {:.4g})", x[0] + 0.0, x[1] + 0.0, x[2] + 0.0);
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

namespace {

std::string combination_text(const Shape& shape, const Dependency& d) {
  if (d.combination.empty()) return fmt::format("{} has no effect here: its row of C is zero", shape.rows[d.row].name);
  return fmt::format("{} = {}", shape.rows[d.row].name, sum_text(shape, d.combination));
}

std::string dependency_text(const Dependency& d) {
  const char* lasting = !d.permanent   ? "whether it lasts is not known: no configuration nearby could be reached"
                        : *d.permanent ? "permanent"
                                       : "only in this configuration";
  return fmt::format("{}, {}{}", lasting, d.compatible ? "compatible" : "in conflict with the others",
                     d.hides_condition ? ", but not nearby: it hides a further condition on the motion" : "");
}

/// "without ab2", "with d spherical and c cylindrical".
std::string remedy_text(const Remedy& remedy) {
  std::vector<std::string> with, without;
  for (const Remedy::Change& change : remedy.changes)
    if (change.type)
      with.push_back(
          fmt::format("{} {}{}", change.name, joint_type_name(*change.type),
                      change.axis.empty() ? "" : fmt::format(" (axis = [{}])", fmt::join(change.axis, ", "))));
    else
      without.push_back(change.name);
  return fmt::format("Nothing is redundant, and the motions are the same, {}{}{}.\n",
                     without.empty() ? "" : "without " + list_names(without, false),
                     with.empty() || without.empty() ? "" : " and ",
                     with.empty() ? "" : "with " + list_names(with, false));
}

/// What dependent multipliers sum up to: those that would be left without the redundant rows.
///
///     Cᵀλ = Σ C_iᵀ (λ_i + Σ factor λ_d)    over the independent rows i, where C_d = Σ factor C_i
std::string unique_sums_text(const Shape& shape, const Redundancy& redundancy) {
  constexpr std::size_t most_sums = 8, most_terms = 4;
  std::map<int, std::vector<Dependency::Term>> sums;
  for (const Dependency& d : redundancy.dependencies)
    for (const Dependency::Term& term : d.combination) {
      std::vector<Dependency::Term>& sum = sums[term.row];
      if (sum.empty()) sum.push_back({term.row, 1.0});
      sum.push_back({d.row, term.factor});
    }
  std::vector<std::string> texts;
  for (const auto& [row, sum] : sums)
    if (sum.size() <= most_terms) texts.push_back(sum_text(shape, sum));
  if (texts.empty() || texts.size() > most_sums) return "";
  return fmt::format("Of the multipliers that are not unique, these sums are: {}.\n", list_names(texts, false));
}

/// A planar mechanism of joints in space.
std::string plane_text(const Check::Data& found) {
  const Shape& all = found.constraints();
  bool unique_in_plane = true;  // the axes of hinges are across it
  for (int i = 0; i < found.certificate->joint_rows; ++i)
    if (const std::string& part = all.rows[i].component; part == "x" || part == "y")
      unique_in_plane &= found.redundancy().unique[i] || !found.turns_only(all.rows[i].owner);
  if (!unique_in_plane) return "";
  return fmt::format(
      "Every body moves in a plane with the normal {}, but the joints are joints in space: the forces in this plane "
      "are "
      "unique.\n",
      components(*found.plane, false));
}

}  // namespace

std::string certificate_text(const Check::Data& found) {
  const Shape& constraints = found.constraints();
  const Redundancy& redundancy = found.redundancy();
  const MechanismSystem* mechanism = found.mechanism();
  if (redundancy.dependencies.empty()) return "";
  std::string text = mechanism ? "\nRedundant constraints at the start, in absolute coordinates:\n"
                               : "\nRedundant constraints, as rows of C at the start:\n";
  Table table("ll");
  for (const Dependency& d : redundancy.dependencies) table.row({combination_text(constraints, d), dependency_text(d)});
  text += table.text();
  std::vector<std::string> open;
  for (const int i : constraints.constraints())
    if (!redundancy.unique[i]) open.push_back(constraints.rows[i].name);
  if (!mechanism && !open.empty())  // whose joints have a table of their own
    text += fmt::format("Multipliers that are not unique: {}; their sum in Cᵀλ is.\n", list_names(open, false));
  if (mechanism) text += unique_sums_text(constraints, redundancy);
  if (found.plane) text += plane_text(found);
  if (found.remedy) text += remedy_text(*found.remedy);
  if (redundancy.singular_pose())
    text += fmt::format(
        "The start is a singular configuration: the rank is {} here and {} nearby. Reactions may be unbounded close "
        "to\n"
        "it; start elsewhere unless this configuration is what you study.\n",
        redundancy.rank, redundancy.rank_nearby);
  return text;
}

std::string joints_text(const Shape& constraints, const Redundancy& redundancy) {
  const auto only_here = [&](int i) { return redundancy.unique[i] && !redundancy.unique_nearby[i]; };
  bool any_only_here = false;
  std::vector<std::string> owners;
  std::unordered_map<std::string, std::vector<int>> rows_of;  // which stand apart if they are of different levels
  for (int i = 0; i < constraints.m(); ++i) {
    if (!constraints.rows[i].active_at_start) continue;
    std::vector<int>& rows = rows_of[constraints.rows[i].owner];
    if (rows.empty()) owners.push_back(constraints.rows[i].owner);
    rows.push_back(i);
    any_only_here |= only_here(i);
  }
  if (owners.empty()) return "";
  Table table(any_only_here ? "llll" : "lll");
  std::vector<std::string> titles{"joint", "reactions", "not unique"};
  if (any_only_here) titles.emplace_back("unique only in this configuration");
  table.row(titles);
  for (const std::string& owner : owners) {
    std::vector<std::string> unique, open, here;
    for (const int i : rows_of[owner]) {
      const Row& row = constraints.rows[i];
      std::vector<std::string>& list = !redundancy.unique[i] ? open : only_here(i) ? here : unique;
      list.push_back(row.component.empty() ? "multiplier" : row.component);
    }
    const bool servo =
        std::ranges::none_of(rows_of[owner], [&](int i) { return constraints.rows[i].has_multiplier(); });
    std::vector<std::string> cells{owner, unique.empty() ? "none" : list_names(unique, false), list_names(open, false)};
    if (servo) cells = {owner, "none: servo", ""};
    if (any_only_here) cells.push_back(list_names(here, false));
    table.row(cells);
  }
  return "\n" + table.text();
}

std::string constraints_of_mechanism(const Check::Data& found) {
  const Shape& all = found.constraints();
  int joints = 0, drivers = 0, others = 0, off = 0;
  for (int i = 0; i < all.m(); ++i) {
    const Row& row = all.rows[i];
    if (!row.active_at_start)
      ++off;
    else if (i < found.certificate->joint_rows)
      ++joints;
    else if (std::ranges::find(found.drivers, row.owner) != found.drivers.end())
      ++drivers;
    else
      ++others;
  }
  std::vector<std::string> parts;
  if (joints > 0) parts.push_back(fmt::format("{} of all joints", joints));
  if (drivers > 0) parts.push_back(fmt::format("{} of drivers", drivers));
  if (others > 0) parts.push_back(fmt::format("{} {}", others, others == 1 ? "other" : "others"));
  std::string text =
      fmt::format("{}: {}", joints + drivers + others, parts.empty() ? "none" : list_names(parts, false));
  if (parts.size() == 1 && joints > 0) text = fmt::format("{}: of all joints", joints);
  if (off > 0) text += fmt::format("; {} not in force at the start", off);
  return text;
}

}  // namespace maggi::text
