#include "text/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/largest.hpp"
#include "maggi/text.hpp"
#include "text/table.hpp"
#include "text/words.hpp"

namespace maggi::text {

namespace {

std::string rounded(const std::optional<double>& error) {
  return !error ? "" : *error == 0.0 ? "0" : fmt::format("{:.0e}", *error);
}

/// Solved somewhere, the cheapest first: by the work to the accuracy wanted, then by the time of an evaluation.
std::vector<const ComparisonRow*> by_cost(const Comparison& found) {
  std::vector<const ComparisonRow*> rows;
  for (const ComparisonRow& row : found.rows)
    if (row.vdot_error) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const ComparisonRow* a, const ComparisonRow* b) {
    if (a->work && b->work) return a->work->seconds < b->work->seconds;
    if (a->work || b->work) return a->work.has_value();
    return a->seconds.value_or(0.0) < b->seconds.value_or(0.0);
  });
  return rows;
}

double fastest(const std::vector<const ComparisonRow*>& rows) {
  double least = std::numeric_limits<double>::infinity();
  for (const ComparisonRow* row : rows) least = std::min(least, row->seconds.value_or(least));
  return least;
}

/// A column: its head, alignment, and cell of a row.
struct Column {
  const char* head;
  char alignment;
  std::function<std::string(const ComparisonRow&)> cell;
};

/// More than one kind of drift control, or of unknowns, among the rows?
bool differ(const Comparison& found, std::string ComparisonRow::*member) {
  const std::string* first = nullptr;
  for (const ComparisonRow& row : found.rows) {
    if ((row.*member).empty()) continue;
    if (first && *first != row.*member) return true;
    first = &(row.*member);
  }
  return false;
}

std::vector<Column> columns(const Comparison& found, double unit) {
  const auto of_motion = [](auto text) {
    return [text](const ComparisonRow& row) { return row.motion ? text(*row.motion) : std::string(); };
  };
  using Row = const ComparisonRow&;
  using Motion = const ComparisonRow::Motion&;
  std::vector<Column> all{{"formulation", 'l', [](Row row) { return row.formulation; }},
                          {"basis", 'l', [](Row row) { return row.basis; }}};
  if (differ(found, &ComparisonRow::drift_control))
    all.push_back({"drift control", 'l', [](Row row) { return row.drift_control; }});
  if (differ(found, &ComparisonRow::unknowns)) all.push_back({"unknowns", 'l', [](Row row) { return row.unknowns; }});
  all.insert(all.end(),
             {{"time", 'r', [unit](Row row) { return row.seconds ? fmt::format("{:.2f}", *row.seconds / unit) : ""; }},
              {"v̇", 'r', [](Row row) { return rounded(row.vdot_error); }},
              {"λ", 'r', [](Row row) { return rounded(row.lambda_error); }},
              {"C D", 'r', [](Row row) { return rounded(row.complement_error); }},
              {"cond D", 'r', [](Row row) { return row.condition ? fmt::format("{:.3g}", *row.condition) : ""; }}});
  if (!found.with_motion) return all;
  all.insert(
      all.end(),
      {{"work [ms]", 'r', [](Row row) { return row.work ? fmt::format("{:.2f}", 1e3 * row.work->seconds) : ""; }},
       {"evaluations", 'r', [](Row row) { return row.work ? fmt::format("{:.0f}", row.work->evaluations) : ""; }},
       {"steps", 'r', of_motion([](Motion motion) { return fmt::format("{}", motion.steps); })},
       {"end", 'r', of_motion([](Motion motion) { return rounded(motion.end_error); })},
       {"drift", 'r', of_motion([](Motion motion) { return rounded(motion.drift); })},
       {"energy", 'r', of_motion([](Motion motion) { return rounded(motion.energy_drift); })}});
  return all;
}

std::string legend(const Comparison& found, double unit) {
  std::string text;
  if (std::isfinite(unit)) text += fmt::format("  time     of one evaluation; 1 is {:.3g} µs\n", 1e6 * unit);
  text += fmt::format(
      "  v̇, λ     relative errors against extended precision, the largest at {}\n"
      "  C D      largest entry, relative; cond D: condition number of the basis\n",
      found.states == 1 ? "the start" : fmt::format("{} states", found.states));
  if (!found.with_motion) return text;
  return text + fmt::format(
                    "  work     CPU time to end within {:g} of a run that is tighter, and evaluations for it\n"
                    "  end      relative error of the last state after `steps` at {} {:g}\n"
                    "  drift    largest scaled position residual; energy: largest change [J]\n",
                    found.accuracy, found.step ? "step" : "rtol", found.step.value_or(found.rtol));
}

std::string comparison_table(const Comparison& found) {
  const std::vector<const ComparisonRow*> rows = by_cost(found);
  if (rows.empty()) return "";
  const double unit = fastest(rows);
  const std::vector<Column> all = columns(found, unit);
  std::string alignment;
  std::vector<std::string> head;
  for (const Column& column : all) {
    alignment += column.alignment;
    head.emplace_back(column.head);
  }
  Table table(alignment);
  table.row(head);
  for (const ComparisonRow* row : rows) {
    std::vector<std::string> cells;
    for (const Column& column : all) cells.push_back(column.cell(*row));
    table.row(cells);
  }
  return fmt::format("{}\n{}", table.text(), legend(found, unit));
}

/// "augmented, maggi (qr, svd)"
std::string method_names(const std::vector<const ComparisonRow*>& rows) {
  std::vector<std::string> names;
  for (auto row = rows.begin(); row != rows.end();) {
    const std::string& formulation = (*row)->formulation;
    std::vector<std::string> bases;
    for (; row != rows.end() && (*row)->formulation == formulation; ++row)
      if (bases.empty() || bases.back() != (*row)->basis) bases.push_back((*row)->basis);
    names.push_back(bases[0].empty() ? formulation : fmt::format("{} ({})", formulation, listed(bases)));
  }
  return listed(names);
}

/// Methods with the same thing to say share a line.
template <class Said>
std::string grouped(const Comparison& found, const std::string& head, const Said& said) {
  std::vector<std::pair<std::string, std::vector<const ComparisonRow*>>> groups;
  for (const ComparisonRow& row : found.rows) {
    const std::string what = said(row);
    if (what.empty()) continue;
    auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == what; });
    if (same == groups.end()) same = groups.insert(groups.end(), {what, {}});
    same->second.push_back(&row);
  }
  std::string text;
  for (const auto& [what, rows] : groups) text += fmt::format("  {}: {}\n", method_names(rows), what);
  return text.empty() ? "" : fmt::format("\n{}\n{}", head, text);
}

std::string verdict(const Comparison& found) {
  long solved = 0, wrong = 0;
  Largest error;
  for (const ComparisonRow& row : found.rows) {
    if (!row.vdot_error) continue;
    ++solved;
    if (!row.disagreement.empty()) {
      ++wrong;
      continue;
    }
    error.note(*row.vdot_error);
    error.note(*row.lambda_error);
  }
  if (solved == 0) return found.interrupted ? "" : "No method has a solution.\n";
  const std::string who = wrong > 0     ? fmt::format("{} of {} agree", solved - wrong, count(solved, "row"))
                          : solved == 1 ? "The method agrees with the reference"
                          : solved == 2 ? "Both agree"
                                        : fmt::format("All {} agree", solved);
  return fmt::format("{} at {}, within {}; condition number of the equations {:.2g}.\n", who,
                     found.states == 1 ? "the start" : fmt::format("{} states", found.states), rounded(error.value()),
                     found.condition);
}

}  // namespace

std::string comparison_text(const Comparison& found) {
  const bool drifts = differ(found, &ComparisonRow::drift_control), unknowns = differ(found, &ComparisonRow::unknowns);
  const bool kinds = drifts || unknowns;
  const auto with_kind = [&](const ComparisonRow& row, const std::string& what) {
    if (what.empty() || row.drift_control.empty()) return what;
    return (drifts ? fmt::format("drift {}: ", row.drift_control) : "") +
           (unknowns ? fmt::format("unknowns {}: ", row.unknowns) : "") + what;
  };
  std::string text = fmt::format("{}: {} from t = {}\n\n{}", found.title,
                                 count(static_cast<long>(found.rows.size()), kinds ? "row" : "method"), number(found.t),
                                 comparison_table(found));
  text += grouped(found, "Refused:", [](const ComparisonRow& row) { return row.vdot_error ? "" : row.failure; });
  text += grouped(
      found, "Failed:", [&](const ComparisonRow& row) { return row.vdot_error ? with_kind(row, row.failure) : ""; });
  text += grouped(found, "Did not show their work:", [&](const ComparisonRow& row) {
    const auto failed = std::find_if(row.points.begin(), row.points.end(),
                                     [](const WorkPoint& point) { return !point.failure.empty(); });
    if (failed == row.points.end() || !row.failure.empty()) return std::string();
    return with_kind(row, fmt::format("rtol {:g}: {}", failed->rtol, failed->failure));
  });
  text += grouped(found, "Wrong:", [&](const ComparisonRow& row) { return with_kind(row, row.disagreement); });
  return text + "\n" + verdict(found);
}

std::string comparison_complaint(const Comparison& found, const std::string& file) {
  std::string text;
  std::vector<const ComparisonRow*> wrong;
  for (const ComparisonRow& row : found.rows)
    if (!row.disagreement.empty()) wrong.push_back(&row);
  if (!wrong.empty())
    text += fmt::format("{}: {} {} not agree with the reference\n", file, method_names(wrong),
                        wrong.size() == 1 ? "does" : "do");
  if (!found.reference_failure.empty())
    text += fmt::format("{}: no reference for the motion: {}\n", file, found.reference_failure);
  if (found.interrupted) text += fmt::format("{}: interrupted\n", file);
  return text;
}

}  // namespace maggi::text

namespace maggi {

std::string to_text(const Comparison& comparison) { return text::comparison_text(comparison); }

}  // namespace maggi
