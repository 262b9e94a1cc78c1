// A sweep for people: what `maggi sweep` prints.
#include "text/sweep.hpp"

#include <fmt/format.h>

namespace maggi::text {

namespace {

/// "m = 2, l = 0.5"
std::string values_of(const Design& design, std::uint64_t run) {
  std::string text;
  for (std::size_t i = 0; i < design.axes().size(); ++i)
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", design.axes()[i].name(), design.value(run, i));
  return text;
}

/// The first few runs that failed, with their reasons.
void add_failures(Table& facts, const SweepTable& table) {
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; const auto& [run, reason] : table.failures()) {
    if (i == shown) {
      facts.row({"", fmt::format("and {} more, in sweep.csv", table.failures().size() - shown)});
      return;
    }
    facts.row({i++ == 0 ? "failed" : "",
               fmt::format("run {} ({}): {}", run, values_of(table.sweep().design(), run), reason)});
  }
}

}  // namespace

Table sweep_facts(const SweepTable& table, const std::string& how) {
  const Sweep& sweep = table.sweep();
  Table facts("ll");
  for (std::size_t i = 0; i < sweep.design().axes().size(); ++i)
    facts.row({i == 0 ? "varied" : "", sweep.design().axes()[i].text()});
  if (sweep.design().text() != "none") facts.row({"drawn", sweep.design().text()});
  facts.row({"runs", fmt::format("{}: {} reached their end, {} failed; {}", table.count(),
                                 table.count() - table.failures().size(), table.failures().size(), how)});
  facts.row({"lanes", sweep.in_lanes() ? "eight runs side by side" : "one run at a time: " + sweep.why_no_lanes()});
  add_failures(facts, table);
  return facts;
}

Table sweep_statistics(const SweepTable& table, std::span<const double> parts) {
  const std::vector<Channel>& columns = table.sweep().columns();
  Table statistics("l" + std::string(parts.size() + 5, 'r'));
  std::vector<std::string> head{"output", "unit", "mean", "deviation", "min"};
  for (const double part : parts) head.push_back(fmt::format("{:g} %", 100 * part));
  head.emplace_back("max");
  statistics.row(head);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Spread d = table.spread(i, parts);
    if (d.count == 0) continue;
    std::vector<std::string> row{columns[i].name, columns[i].unit, number(d.mean), number(d.deviation),
                                 number(d.least)};
    for (const auto& [part, value] : d.quantiles) row.push_back(number(value));
    row.push_back(number(d.greatest));
    statistics.row(row);
  }
  return statistics;
}

std::string sweep_complaint(const SweepTable& table) {
  if (table.failures().empty()) return "";
  const auto& [run, reason] = *table.failures().begin();
  return fmt::format("{} of {} runs failed, the first is run {} ({}): {}", table.failures().size(), table.count(), run,
                     values_of(table.sweep().design(), run), reason);
}

}  // namespace maggi::text
