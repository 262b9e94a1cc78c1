#include "io/report/live.hpp"

#include <fmt/format.h>

#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/report/report.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/simulation.hpp"
#include "simulation/free_motions.hpp"
#include "simulation/sliders.hpp"

namespace maggi {

namespace {

using Json = nlohmann::ordered_json;

/// An error with the lines of the file around its place.
Json fault_json(const Error& error) {
  constexpr int around = 2;
  const Where& where = error.where();
  Json json{{"file", where.file},       {"line", where.line},   {"column", where.column},
            {"message", error.cause()}, {"help", error.help()}, {"source", Json::array()}};
  std::ifstream file(where.file);
  std::string line;
  for (int number = 1; where.line > 0 && number <= where.line + around && std::getline(file, line); ++number)
    if (number >= where.line - around) json["source"].push_back({number, line});
  return json;
}

/// Moves the sliders that have values, and tells them all.
Json slide(Simulation& simulation, const Json& values) {
  Model as_written = simulation.model();
  Json json = Json::array();
  for (const Slider& slider : sliders(as_written)) {
    const std::string& name = slider.adjustable.name;
    const std::string key = slider.kind + " " + name;
    double value = slider.value;
    if (values.contains(key) && values[key].is_number()) simulation.set(name, value = values[key].get<double>());
    json.push_back({{"kind", slider.kind},
                    {"name", name},
                    {"unit", slider.adjustable.unit},
                    {"value", value},
                    {"in_file", slider.value}});
  }
  return json;
}

void show_motion(Simulation& simulation, const std::function<bool()>& cancelled, Json& json) {
  (void)simulation.span();  // what is wrong with [simulation] is said first
  Json motions = Json::array();
  for (const FreeMotion& motion : find_free_motions(simulation))
    motions.push_back(
        {{"name", motion.name},
         {"motion", Json::parse(drawn_motion_json(simulation.system().shape(), motion.times, motion.drawing))}});
  std::atomic<bool> enough = false;
  RunOptions options;
  options.compile = Compile::never;
  options.interrupt = &enough;
  options.progress = [&](double) { enough = cancelled(); };
  const std::string report = run_report_json(simulation.run(options));
  json["free_motions"] = std::move(motions);
  json["report"] = Json::parse(report);
}

}  // namespace

std::string live_page(std::string_view file) { return report_page(Json{{"kind", "live"}, {"title", file}}.dump()); }
std::string live_text(std::string_view text) { return Json(text).dump(); }

const Simulation& LiveSimulation::as_written(std::string_view version) {
  if (as_written_ && version == version_) return *as_written_;
  as_written_.reset();
  Simulation simulation(read_());
  try {
    (void)simulation.start();  // derived once, for all values of the sliders
  } catch (const Error&) {}    // they may have a start; otherwise the report says why there is none
  version_ = version;
  return as_written_.emplace(std::move(simulation));
}

std::optional<std::string> LiveSimulation::report(std::string_view values, std::string_view version, bool whole_motion,
                                                  const std::function<bool()>& cancelled) {
  const Json asked = Json::parse(values, nullptr, false);
  if (!asked.is_object()) return std::nullopt;
  Json json{{"version", version}};
  try {
    Simulation simulation = as_written(version);
    json["sliders"] = slide(simulation, asked);
    if (whole_motion)
      show_motion(simulation, cancelled, json);
    else
      json["report"] = Json::parse(run_report_json(simulation.assemble()));
  } catch (const Error& error) { json["error"] = fault_json(error); }
  return json.dump();
}

}  // namespace maggi
