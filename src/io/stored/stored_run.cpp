#include "io/stored/stored_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/names.hpp"

namespace maggi {

namespace {

namespace fs = std::filesystem;

constexpr int known_format = 1;

[[noreturn]] void fail(const fs::path& path, int line, std::string what, std::string help) {
  throw Error(Errc::io, {path.string(), line, 0}, std::move(what), std::move(help));
}

/// The folder holds a run in a format that we know.
void check_summary(const fs::path& folder) {
  const fs::path path = folder / "summary.json";
  if (!fs::exists(folder)) fail(folder, 0, "there is no such folder", "maggi run writes one: results/<model>");
  if (!fs::is_directory(folder)) fail(folder, 0, "this is not a folder", "give the folder that maggi run has written");
  std::ifstream file(path);
  if (!file)
    fail(folder, 0, "there is no summary.json in it, so it holds no run", "give the folder that maggi run has written");
  const auto json = nlohmann::ordered_json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("format_version") || !json["format_version"].is_number_integer())
    fail(path, 0, "this is not the summary of a run, or it is damaged", "run the model again");
  const int version = json["format_version"].get<int>();
  if (version > known_format)
    fail(path, 0, fmt::format("the results have format {}, this maggi knows up to {}", version, known_format),
         "use the maggi that wrote them, or a newer one");
}

/// The fields of a line of RFC 4180.
std::vector<std::string> split_fields(std::string_view line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      result.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      result.emplace_back();
    else
      result.back() += line[i];
  }
  return result;
}

/// "x1' [m/s]" → name and unit.
Channel channel(const std::string& head) {
  const std::size_t open = head.rfind(" [");
  if (open == std::string::npos || head.back() != ']') return {head, ""};
  return {head.substr(0, open), head.substr(open + 2, head.size() - open - 3)};
}

}  // namespace

const StoredRun::Column& StoredRun::column(const std::string& name) const {
  std::vector<std::string> names;
  for (const Column& each : columns) names.push_back(each.channel.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Error(Errc::model, {}, fmt::format("the run has no channel \"{}\"", name), suggest_name(name, names));
  return columns[found - names.begin()];
}

StoredRun StoredRun::between(std::optional<double> from, std::optional<double> until) const {
  const std::vector<double>& t = columns.front().values;
  StoredRun part;
  for (const Column& column : columns) {
    Column& kept = part.columns.emplace_back(Column{column.channel, {}});
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] >= from.value_or(t[i]) && t[i] <= until.value_or(t[i])) kept.values.push_back(column.values[i]);
  }
  if (part.columns.front().values.empty())
    throw Error(Errc::model, {}, t.empty() ? "the run has no states" : "no state of the run is between these times",
                t.empty() ? "" : fmt::format("it goes from {:g} to {:g} s", t.front(), t.back()));
  return part;
}

namespace {

/// `whole`: the last line has an end, too, as every line that a run has written completely.
StoredRun read_numbers(const fs::path& path, bool whole, const std::string& missing, const std::string& help) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) fail(path, 0, missing, help);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  StoredRun run;
  for (const std::string& head : split_fields(line)) run.columns.push_back({channel(head), {}});
  for (int number = 2; std::getline(file, line); ++number) {
    const bool cut = whole && file.eof();
    if (!whole && !line.empty() && line.back() == '\r') line.pop_back();
    std::size_t column = 0;
    const char *at = line.data(), *const end = at + line.size();
    for (; column < run.columns.size(); ++column) {
      double value = 0.0;
      const auto [next, fault] = std::from_chars(at, end, value);
      const bool last = column + 1 == run.columns.size();
      if (fault != std::errc() || !std::isfinite(value) || (last ? next != end : next == end || *next != ',')) break;
      run.columns[column].values.push_back(value);
      at = next + 1;
    }
    if (cut || column < run.columns.size())
      fail(path, number,
           cut ? "the file ends within this line: it is not complete"
               : "this is not a line of numbers, one for each heading",
           help);
  }
  return run;
}

}  // namespace

StoredRun read_run(const fs::path& folder) {
  check_summary(folder);
  return read_numbers(folder / "trajectory.csv", true, "the motion is missing", "run the model again");
}

StoredRun read_columns(const fs::path& file) {
  return read_numbers(file, false, "the file cannot be read, or is empty",
                      "headings in the first line, then numbers, separated by commas, with decimal points");
}

}  // namespace maggi
