#include "io/stored/sweep_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/csv/csv_field.hpp"
#include "io/npz/npy.hpp"

namespace maggi {

namespace {

using io::csv_field, io::npy_header, io::ZipFile;
using Json = nlohmann::ordered_json;

constexpr int statistics_format = 1;
constexpr std::size_t most_failures = 100;

std::vector<Channel> axis_channels(const SweepTable& table) {
  std::vector<Channel> result;
  for (const Axis& axis : table.sweep().design().axes()) result.push_back({axis.name(), axis.unit()});
  return result;
}

std::vector<Spread> spreads(const SweepTable& table, std::span<const double> parts) {
  std::vector<Spread> result;
  for (std::size_t i = 0; i < table.sweep().columns().size(); ++i) result.push_back(table.spread(i, parts));
  return result;
}

void add_names(ZipFile& zip, const std::string& name, const std::vector<Channel>& channels) {
  std::vector<std::string> names, units;
  for (const Channel& channel : channels) names.push_back(channel.name), units.push_back(channel.unit);
  io::add_texts(zip, name + "_names", names);
  io::add_texts(zip, name + "_units", units);
}

std::string_view bytes_of(std::span<const double> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

void write_sweep_csv(const std::filesystem::path& path, const SweepTable& table) {
  const Design& design = table.sweep().design();
  io::AtomicFile file(path);
  std::string line = "run";
  for (const Channel& axis : axis_channels(table)) line += "," + csv_field(axis);
  for (const Channel& column : table.sweep().columns()) line += "," + csv_field(column);
  file.write(line + ",failure\n");
  for (std::uint64_t run = 0; run < design.size(); ++run) {
    const auto failure = table.failures().find(run);
    const bool failed = failure != table.failures().end();
    line = fmt::format("{}", run);
    for (const double value : design.values(run)) line += fmt::format(",{}", value);
    for (const double value : table.values(run)) line += failed ? "," : fmt::format(",{}", value);
    file.write(line + "," + (failed ? csv_field(failure->second) : "") + "\n");
  }
  file.commit();
}

bool write_sweep_npz(const std::filesystem::path& path, const SweepTable& table) {
  const Design& design = table.sweep().design();
  const std::size_t axes = design.axes().size(), columns = table.sweep().columns().size();
  constexpr std::size_t headers = 1 << 20;  // far more than the names need
  if (design.size() * ((axes + columns) * sizeof(double) + 1) + headers > ZipFile::max_bytes) return false;

  ZipFile zip(path);
  zip.add("parameters.npy", [&](const ZipFile::Write& write) {
    write(npy_header("<f8", fmt::format("{}, {}", design.size(), axes)));
    for (std::uint64_t run = 0; run < design.size(); ++run) write(bytes_of(design.values(run)));
  });
  add_names(zip, "parameters", axis_channels(table));
  zip.add("outputs.npy", [&](const ZipFile::Write& write) {
    write(npy_header("<f8", fmt::format("{}, {}", design.size(), columns)));
    for (std::uint64_t run = 0; run < design.size(); ++run) write(bytes_of(table.values(run)));
  });
  add_names(zip, "outputs", table.sweep().columns());
  zip.add("failed.npy", [&](const ZipFile::Write& write) {
    write(npy_header("|b1", fmt::format("{},", design.size())));
    for (std::uint64_t run = 0; run < design.size(); ++run)
      write(std::string_view(table.failures().contains(run) ? "\1" : "\0", 1));
  });
  zip.commit();
  return true;
}

std::string sweep_statistics_json(const SweepTable& table, std::span<const double> parts) {
  const Sweep& sweep = table.sweep();
  Json json{
      {"format_version", statistics_format}, {"runs", sweep.design().size()}, {"failed", table.failures().size()}};
  json["outputs"] = Json::array();
  const std::vector<Spread> all = spreads(table, parts);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Spread& d = all[i];
    Json output{{"name", sweep.columns()[i].name}, {"unit", sweep.columns()[i].unit}, {"count", d.count}};
    if (d.count > 0) {
      output.update({{"mean", d.mean}, {"deviation", d.deviation}, {"min", d.least}, {"max", d.greatest}});
      for (const auto& [part, value] : d.quantiles) output["quantiles"][fmt::format("{}", part)] = value;
    }
    json["outputs"].push_back(output);
  }
  json["failures"] = Json::array();
  for (const auto& [run, reason] : table.failures()) {
    if (json["failures"].size() == most_failures) break;
    Json parameters = Json::object();
    for (std::size_t i = 0; i < sweep.design().axes().size(); ++i)
      parameters[sweep.design().axes()[i].name()] = sweep.design().value(run, i);
    json["failures"].push_back({{"run", run}, {"parameters", parameters}, {"reason", reason}});
  }
  return json.dump(2) + "\n";
}

void write_sweep_statistics_csv(const std::filesystem::path& path, const SweepTable& table,
                                std::span<const double> parts) {
  io::AtomicFile file(path);
  std::string line = "output,count,mean,deviation,min,max";
  for (const double part : parts) line += fmt::format(",quantile {}", part);
  file.write(line + "\n");
  const std::vector<Spread> all = spreads(table, parts);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Spread& d = all[i];
    line = fmt::format("{},{}", csv_field(table.sweep().columns()[i]), d.count);
    if (d.count > 0) line += fmt::format(",{},{},{},{}", d.mean, d.deviation, d.least, d.greatest);
    for (const auto& [part, value] : d.quantiles) line += fmt::format(",{}", value);
    if (d.count == 0) line += std::string(4 + parts.size(), ',');
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace maggi
