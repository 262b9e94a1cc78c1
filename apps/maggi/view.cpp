// maggi view: a model in the browser, live.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "at_start.hpp"
#include "commands.hpp"
#include "free_motions.hpp"
#include "http_server.hpp"
#include "integration/settings.hpp"
#include "interrupt.hpp"
#include "io/report/report.hpp"
#include "output.hpp"
#include "simulated.hpp"
#include "sliders.hpp"

namespace maggi::app {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct ViewOptions {
  ModelChoice model;
  int port = 8123;
  bool no_browser = false;
};

/// Another one whenever the file was written.
std::string version(const std::string& file) {
  std::error_code fault;
  const auto written = fs::last_write_time(file, fault);
  const auto size = fs::file_size(file, fault);
  return fault ? "missing" : fmt::format("{}.{}", written.time_since_epoch().count(), size);
}

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

/// The page and what it asks for.
class LiveModel {
 public:
  LiveModel(const ViewOptions& options, const HttpServer& server, const std::atomic<bool>& stop)
      : options_(options), server_(server), stop_(stop) {}

  Response answer(const Request& request) {
    const bool get = request.method == "GET";
    if (request.path == "/" && get)
      return {200, "text/html", report_page(Json{{"kind", "live"}, {"title", options_.model.file}}.dump())};
    if (request.path == "/version" && get) return {200, "application/json", Json(version(options_.model.file)).dump()};
    const bool motion = request.path == "/motion";
    if (!motion && request.path != "/assembly") return {404, "text/plain", "there is nothing here\n"};
    if (request.method != "POST") return {405, "text/plain", "POST the values of the sliders\n"};
    const Json asked = Json::parse(request.body, nullptr, false);
    if (!asked.is_object()) return {400, "text/plain", "not the values of sliders\n"};
    return {200, "application/json", show(asked, motion)};
  }

 private:
  /// {version, sliders, report, free_motions}, with the error instead of what it prevents.
  std::string show(const Json& values, bool whole_motion) {
    Json json{{"version", version(options_.model.file)}};
    std::string more;
    try {
      Model model = options_.model.read();
      json["sliders"] = Json::array();
      for (Slider& slider : sliders(model)) {
        const double in_file = slider.value;
        const std::string key = slider.kind + " " + slider.adjustable.name;
        if (values.contains(key) && values[key].is_number()) slider.set(values[key].get<double>());
        json["sliders"].push_back({{"kind", slider.kind},
                                   {"name", slider.adjustable.name},
                                   {"unit", slider.adjustable.unit},
                                   {"value", slider.value},
                                   {"in_file", in_file}});
      }
      more = whole_motion ? motion(model) : assembly(model);
    } catch (const Error& error) { json["error"] = fault_json(error); }
    std::string text = json.dump();
    text.pop_back();
    return text + more + "}";
  }

  std::string assembly(const Model& model) {
    const Settings settings = maggi::settings(model);
    AtStart at(model, settings.formulation, settings.basis);
    Trajectory trajectory(at.system(), undetermined_multipliers(at.dynamics(), at.start().state));
    trajectory.accept({at.start().state, at.start().acceleration, at.start().residuals, &at.start().mode});
    IntegrationResult run;
    run.t = at.start().state.t;
    Summary summary = summarise(at.dynamics(), run, trajectory, 0.0);
    summary.outcome = "assembled";
    summary.formulas = at.compile_formulas(Compile::never).name;
    return report(at, summary, trajectory, {}, settings);
  }

  std::string motion(const Model& model) {
    Settings settings = maggi::settings(model);
    AtStart at(model, settings.formulation, settings.basis);
    Trajectory trajectory(at.system(), undetermined_multipliers(at.dynamics(), at.start().state));
    const Certificate certificate = certify(model, at.dynamics(), at.start().state);
    std::string text = ",\"free_motions\":[";
    for (const FreeMotion& motion : find_free_motions(at))
      text += fmt::format("{}{{\"name\":{},\"motion\":{}}}", text.ends_with('[') ? "" : ",", Json(motion.name).dump(),
                          drawn_motion_json(at.shape(), motion.times, motion.drawing));
    std::atomic<bool> enough = false;  // whoever has moved on does not want the rest
    settings.integrate.interrupt = &enough;
    settings.integrate.progress = [&](double) { enough = stop_ || server_.asker_is_gone(); };
    Summary summary = simulate(at.dynamics(), at.start().state, trajectory, settings.integrate);
    summary.formulas = at.compile_formulas(Compile::never).name;
    return text + "]" + report(at, summary, trajectory, certificate, settings);
  }

  std::string report(AtStart& at, const Summary& summary, const Trajectory& trajectory, const Certificate& certificate,
                     const Settings& settings) {
    RunReport report{title(at.shape(), options_.model.file),
                     {},
                     summary,
                     trajectory,
                     certificate.get(),
                     certificate.why_not,
                     certificate.certified(),
                     {}};
    const Table table = facts(at.dynamics(), summary, settings.integrate);
    for (const std::vector<std::string>& row : table.rows()) report.facts.emplace_back(row[0], row[1]);
    return ",\"report\":" + run_report_json(report);
  }

  const ViewOptions& options_;
  const HttpServer& server_;
  const std::atomic<bool>& stop_;
};

/// Where there is a screen.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  if (fork() != 0) return;
  if (fork() == 0) {
    if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) _exit(1);
    execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
  }
  _exit(0);
}

/// What is wrong with the command line is said at once; what is wrong in the file, in the page.
void check_words(const ModelChoice& choice) {
  try {
    (void)choice.read();
  } catch (const Error& error) {
    if (error.code() == Errc::io || error.where().file.starts_with("--set")) throw;
  }
}

void view(const ViewOptions& options) {
  check_words(options.model);
  HttpServer server(options.port);
  const std::string address = fmt::format("http://127.0.0.1:{}/", server.port());
  print(fmt::format("{}: {}   (Ctrl-C ends it)\n", options.model.file, address));
  const Interrupt interrupt;
  if (!options.no_browser) open_browser(address);
  LiveModel live(options, server, interrupt.flag());
  server.serve([&](const Request& request) { return live.answer(request); }, interrupt.flag());
}

}  // namespace

void add_view(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "Show a model in the browser, with sliders for its numbers");
  options->model.add_to(*command);
  command->add_option("--port", options->port, "where to begin looking for a free port [8123]")
      ->type_name("N")
      ->check(CLI::Range(1024, 65535));
  command->add_flag("--no-browser", options->no_browser, "print the address and open nothing");
  command->footer(
      "Parameters and values given at the start become sliders: dragging assembles the model anew, letting go runs\n"
      "it. The file is watched: save it, and the page follows; what is wrong with it is shown at its line. Only\n"
      "this machine can see the page.\n\n"
      "Examples:\n"
      "  maggi view models/four_bar.toml\n"
      "  maggi view models/pendulum.toml --set l=2 --no-browser --port 9000");
  command->callback([options] { view(*options); });
}

}  // namespace maggi::app
