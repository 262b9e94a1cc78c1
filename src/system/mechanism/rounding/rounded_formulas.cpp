#include "system/mechanism/rounding/rounded_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "system/mechanism/rounding/decision.hpp"
#include "system/mechanism/rounding/report.hpp"

namespace maggi::mechanism {

namespace {

using Loop = MechanismSystem::RoundedLoop;

constexpr std::size_t most_columns = 100;  // velocities of constraints that are decided together, with dense matrices

/// Does the value of a row depend on time?
std::vector<bool> rows_with_time(const System& system) {
  const Start& start = system.start();
  const auto w = system.workspace();
  State at{start.t, start.origin, Vector::Zero(system.shape().n())};
  if (at.q.size() == 0) at.q = Vector::Zero(system.shape().nq());
  system.position(at, *w);
  const Vector now = w->terms.f;
  std::vector<bool> result(system.shape().m(), false);
  if (!system.shape().rheonomic) return result;
  for (const double later : {0.7, 1.9}) {
    at.t = start.t + later;
    system.position(at, *w);
    for (Eigen::Index i = 0; i < now.size(); ++i) result[i] = result[i] || !(w->terms.f[i] == now[i]);
  }
  return result;
}

std::vector<bool> rows_that_stay(const System& system) {
  const Shape& shape = system.shape();
  const std::vector<bool> with_time = rows_with_time(system);
  std::vector<bool> stay(shape.m(), false);
  for (int i = 0; i < shape.s_p; ++i) {
    const Row& row = shape.rows[i];
    stay[i] =
        row.of_model() && row.has_multiplier() && row.active_at_start && !row.one_sided && !row.hidden && !with_time[i];
  }
  for (const Switch& event : shape.events)
    for (const std::vector<int>* rows : {&event.on, &event.off})
      for (const int row : *rows) stay[row] = false;
  return stay;
}

/// Rows that share velocities.
struct Component {
  std::vector<int> rows, columns;
};

std::vector<Component> components(const Shape& shape, const std::vector<bool>& stay) {
  std::vector<int> root(shape.n());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int j) {
    while (root[j] != j) j = root[j] = root[root[j]];
    return j;
  };
  std::vector<int> first(shape.m(), -1);
  for (int k = 0; k < shape.C.size(); ++k) {
    const int i = shape.C.row[k], j = shape.C.col[k];
    if (i >= shape.s_p || !stay[i]) continue;
    if (first[i] < 0) first[i] = j;
    root[find(j)] = find(first[i]);
  }
  std::vector<Component> all(shape.n());
  for (int i = 0; i < shape.s_p; ++i)
    if (first[i] >= 0) all[find(first[i])].rows.push_back(i);
  for (int j = 0; j < shape.n(); ++j) all[find(j)].columns.push_back(j);
  std::erase_if(all, [](const Component& component) { return component.rows.empty(); });
  return all;
}

/// "0.57735 of b is 0.57735027": the number that changes most.
std::string largest_change(const TypedNumbers& numbers, const Vector& p, const char* verb) {
  Eigen::Index k;
  largest(p, &k);
  const auto where = static_cast<int>(k);
  return fmt::format("{} of {} {} {:.12g}", numbers.text(where), numbers.constraints()[numbers[where].constraint].name,
                     verb, numbers.changed(where, p));
}

std::string in_words(const Loop& loop, const TypedNumbers& numbers, const Vector& p) {
  const std::string of = fmt::format("the constraints {}: {} degree{} of freedom", list_names(loop.joints, false),
                                     loop.freedom, loop.freedom == 1 ? "" : "s");
  if (loop.moves())
    return fmt::format("{}{} {}, which is rounding (data_tolerance = {:.2g})", of,
                       loop.repaired ? ":" : "; the numbers are kept as typed (repair = false), not changed so that",
                       largest_change(numbers, p, loop.repaired ? "is taken as" : "is"), loop.tolerance);
  return fmt::format("{}; {} if {} and others changed by less, more than rounding (data_tolerance = {:.2g}); {}", of,
                     loop.freedom_missed, largest_change(numbers, p, "were"), loop.tolerance, remedy_of_lock(loop));
}

Loop finding(const Decision& decision, bool change_data, std::vector<std::string> owners, const TypedNumbers& numbers) {
  Loop loop;
  loop.finding = decision.kind == Decision::Kind::repaired   ? Loop::Finding::moves
                 : decision.kind == Decision::Kind::singular ? Loop::Finding::moves_from_singular
                                                             : Loop::Finding::locked;
  loop.joints = std::move(owners);
  loop.where = numbers.constraints()[numbers[0].constraint].where;
  loop.repaired = change_data && loop.moves();
  loop.freedom = decision.freedom, loop.freedom_missed = decision.freedom_missed;
  loop.tolerance = decision.data;
  loop.misfit = decision.misfit, loop.misfit_left = decision.left;
  loop.change = decision.change, loop.tolerance_needed = decision.data_needed;
  loop.text = in_words(loop, numbers, decision.p);
  return loop;
}

std::vector<std::string> owners_of(const Shape& shape, const std::vector<int>& rows) {
  std::vector<std::string> owners;
  for (const int row : rows)
    if (std::ranges::find(owners, shape.rows[row].owner) == owners.end()) owners.push_back(shape.rows[row].owner);
  return owners;
}

}  // namespace

RoundedFormulas repair_rounded_formulas(const System& system, const std::vector<Constraint>& constraints,
                                        double tolerance, bool change_data, double size,
                                        const FormulaBlock::Make& make) {
  RoundedFormulas result{constraints, {}};
  if (tolerance == 0.0 || TypedNumbers(constraints).count() == 0) return result;
  for (const Component& component : components(system.shape(), rows_that_stay(system))) {
    const std::vector<std::string> owners = owners_of(system.shape(), component.rows);
    const TypedNumbers numbers(constraints, owners);
    if (numbers.count() == 0 || component.columns.size() > most_columns) continue;
    Largest data(tolerance);
    for (int k = 0; k < numbers.count(); ++k) data.note(numbers[k].half_unit);
    FormulaBlock block(system, component.rows, component.columns, size, numbers, make);
    if (!block.close(0.3 * data.value())) continue;
    const Decision decision = decide(block, data.value());
    const bool decided = decision.kind == Decision::Kind::repaired || decision.kind == Decision::Kind::singular ||
                         decision.kind == Decision::Kind::locked;
    if (!decided || decision.p.size() == 0) continue;
    const Loop& loop = result.found.emplace_back(finding(decision, change_data, owners, numbers));
    if (!loop.repaired) continue;
    const std::vector<Constraint> changed = numbers.with(decision.p);
    for (std::size_t c = 0; c < changed.size(); ++c)
      if (std::ranges::find(owners, changed[c].name) != owners.end()) result.constraints[c] = changed[c];
  }
  return result;
}

}  // namespace maggi::mechanism
