// maggi view: a model in the browser, live.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "commands.hpp"
#include "http_server.hpp"
#include "interrupt.hpp"
#include "io/report/live.hpp"
#include "maggi/error.hpp"
#include "model_choice.hpp"
#include "output.hpp"

namespace maggi::app {

namespace {

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

/// The page and what it asks for.
class LiveModel {
 public:
  LiveModel(const ViewOptions& options, const HttpServer& server, const std::atomic<bool>& stop)
      : options_(options), server_(server), stop_(stop), simulation_([&options] { return options.model.read(); }) {}

  Response answer(const Request& request) {
    const bool get = request.method == "GET";
    const std::string& file = options_.model.file;
    if (request.path == "/" && get) return {200, "text/html", live_page(file)};
    if (request.path == "/version" && get) return {200, "application/json", live_text(version(file))};
    const bool motion = request.path == "/motion";
    if (!motion && request.path != "/assembly") return {404, "text/plain", "there is nothing here\n"};
    if (request.method != "POST") return {405, "text/plain", "POST the values of the sliders\n"};
    const auto report = simulation_.report(request.body, version(file), motion,
                                           [&] { return stop_ || server_.asker_is_gone(); });  // nobody wants the rest
    if (!report) return {400, "text/plain", "not the values of sliders\n"};
    return {200, "application/json", *report};
  }

 private:
  const ViewOptions& options_;
  const HttpServer& server_;
  const std::atomic<bool>& stop_;
  LiveSimulation simulation_;
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
      "Parameters and values given at the start become sliders: dragging assembles the model again, letting go runs\n"
      "it. The file is watched: save it, and the page follows; what is wrong with it is shown at its line. Only\n"
      "this machine can see the page.\n\n"
      "Examples:\n"
      "  maggi view models/four_bar.toml\n"
      "  maggi view models/pendulum.toml --set l=2 --no-browser --port 9000");
  command->callback([options] { view(*options); });
}

}  // namespace maggi::app
