#include "io/report/sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/report/packed.hpp"
#include "io/stored/sweep_files.hpp"
#include "sweep/decimate.hpp"
#include "sweep/failure_groups.hpp"
#include "sweep/histogram.hpp"
#include "sweep/trend.hpp"

namespace maggi {

namespace {

using io::packed;
using Json = nlohmann::ordered_json;

constexpr int sweep_page_format = 1;
constexpr std::size_t most_runs = 10'000, most_numbers = 300'000;  // 1.6 MB of them
constexpr std::size_t most_reasons = 50, most_ranges = 100;

Json facts(const SweepTable& table) {
  const Sweep& sweep = table.sweep();
  Json json = Json::array();
  for (std::size_t i = 0; i < sweep.design().axes().size(); ++i)
    json.push_back({i == 0 ? "varied" : "", sweep.design().axes()[i].text()});
  if (sweep.design().text() != "none") json.push_back({"drawn", sweep.design().text()});
  json.push_back({"runs", fmt::format("{}: {} reached their end, {} failed", table.count(),
                                      table.count() - table.failures().size(), table.failures().size())});
  json.push_back(
      {"lanes", sweep.in_lanes() ? "eight runs side by side" : "one run at a time: " + sweep.why_no_lanes()});
  return json;
}

Json quantities(const Design& design) {
  Json json = Json::array();
  for (const Axis& axis : design.axes())
    json.push_back({{"name", axis.name()},
                    {"unit", axis.unit()},
                    {"text", axis.text()},
                    {"drawn", axis.drawn()},
                    {"size", axis.size()}});
  return json;
}

/// The shown runs: every quantity, then every output.
Json columns(const SweepTable& table, const std::vector<std::uint64_t>& runs) {
  const Sweep& sweep = table.sweep();
  Json json = Json::array();
  std::vector<double> values(runs.size());
  const auto add = [&](const std::string& name, const std::string& unit) {
    json.push_back({{"name", name}, {"unit", unit}});
    json.back().update(packed(values));
  };
  for (std::size_t i = 0; i < sweep.design().axes().size(); ++i) {
    std::ranges::transform(runs, values.begin(), [&](std::uint64_t run) { return sweep.design().value(run, i); });
    add(sweep.design().axes()[i].name(), sweep.design().axes()[i].unit());
  }
  for (std::size_t i = 0; i < sweep.columns().size(); ++i) {
    std::ranges::transform(runs, values.begin(), [&](std::uint64_t run) { return table.values(run)[i]; });
    add(sweep.columns()[i].name, sweep.columns()[i].unit);
  }
  return json;
}

Json histograms(const SweepTable& table) {
  Json json = Json::array();
  for (std::size_t i = 0; i < table.sweep().columns().size(); ++i) {
    const sweep::Histogram bins = sweep::histogram(table.column(i));
    json.push_back({{"low", bins.low}, {"high", bins.high}, {"counts", bins.counts}});
  }
  return json;
}

/// Between the least and the greatest of the quantiles asked for; without two of them between 5 % and 95 %.
std::pair<double, double> band(std::span<const double> parts) {
  if (parts.empty()) return {0.05, 0.95};
  const auto [least, greatest] = std::ranges::minmax(parts);
  return least < greatest ? std::pair{least, greatest} : std::pair{0.05, 0.95};
}

Json trends(const SweepTable& table, std::pair<double, double> parts) {
  Json json = Json::array();
  for (std::size_t axis = 0; axis < table.sweep().design().axes().size(); ++axis) {
    const std::optional<sweep::Trend> trend = sweep::trend(table, axis, parts);
    if (!trend) continue;
    Json outputs = Json::array();
    for (std::size_t i = 0; i < trend->mean.size(); ++i)
      outputs.push_back(
          {{"mean", packed(trend->mean[i])}, {"lower", packed(trend->lower[i])}, {"upper", packed(trend->upper[i])}});
    json.push_back({{"quantity", axis},
                    {"parts", {parts.first, parts.second}},
                    {"counts", trend->counts},
                    {"x", packed(trend->x)},
                    {"outputs", outputs}});
  }
  return json;
}

/// Of each quantity the least and the greatest value at which runs failed for this reason.
std::vector<std::pair<double, double>> where(const Design& design, const sweep::FailureGroup& group) {
  std::vector<std::pair<double, double>> result;
  for (std::size_t axis = 0; axis < design.axes().size(); ++axis) {
    const double start = design.value(group.ranges.front().first, axis);
    auto& [least, greatest] = result.emplace_back(start, start);
    for (const auto& [first, last] : group.ranges)
      for (std::uint64_t run = first; run <= last; ++run) {
        least = std::min(least, design.value(run, axis));
        greatest = std::max(greatest, design.value(run, axis));
      }
  }
  return result;
}

void add_failures(Json& json, const SweepTable& table, const std::vector<std::uint64_t>& shown) {
  const auto [groups, group_of] = sweep::group_failures(table.failures());
  json["failures"] = Json::array();
  std::uint64_t told = 0;
  for (const sweep::FailureGroup& group : groups) {
    if (json["failures"].size() == most_reasons) break;
    Json ranges = Json::array();
    std::uint64_t listed = 0;
    for (const auto& [first, last] : group.ranges) {
      if (ranges.size() == most_ranges) break;
      ranges.push_back({first, last});
      listed += last - first + 1;
    }
    told += group.count;
    json["failures"].push_back({{"reason", group.reason},
                                {"count", group.count},
                                {"runs", ranges},
                                {"listed", listed},
                                {"where", where(table.sweep().design(), group)}});
  }
  json["other_failures"] = table.failures().size() - told;
  json["failed"] = Json::array();
  for (std::size_t place = 0; place < shown.size(); ++place)
    if (const auto found = group_of.find(shown[place]); found != group_of.end())
      json["failed"].push_back({place, found->second});
}

}  // namespace

std::string sweep_report_json(const std::string& title, const SweepTable& table, std::span<const double> parts) {
  const Sweep& sweep = table.sweep();
  const std::size_t width = sweep.design().axes().size() + sweep.columns().size();
  const sweep::Decimation thinning = sweep::decimate(sweep.design(), std::min(most_runs, most_numbers / width));
  Json json{{"format_version", sweep_page_format}, {"kind", "sweep"}, {"title", title}};
  json["facts"] = facts(table);
  json["statistics"] = Json::parse(sweep_statistics_json(table, parts));
  json["quantities"] = quantities(sweep.design());
  json["draws"] = sweep.design().draws();
  json["shown"] = {{"count", thinning.runs.size()}, {"of", sweep.design().size()}, {"text", thinning.text}};
  if (!thinning.text.empty()) {
    json["shown"]["runs"] = thinning.runs;
    json["facts"].push_back({"runs shown", fmt::format("{} of {}: {}; sweep.csv has all", thinning.runs.size(),
                                                       sweep.design().size(), thinning.text)});
  }
  json["columns"] = columns(table, thinning.runs);
  json["histograms"] = histograms(table);
  json["trends"] = trends(table, band(parts));
  add_failures(json, table, thinning.runs);
  return json.dump();
}

}  // namespace maggi
