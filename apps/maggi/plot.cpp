// maggi plot: curves of a stored run, for papers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "io/report/figure.hpp"
#include "output.hpp"
#include "text/words.hpp"

namespace maggi::app {

namespace {

namespace fs = std::filesystem;

struct PlotChoice {
  std::string folder;
  std::vector<std::string> channels;
  std::string over = "t", title;
  std::optional<std::string> out;
  std::optional<double> from, until;
  bool log = false;
};

[[noreturn]] void ask_for_channels(const StoredRun& run) {
  std::vector<std::string> names;
  for (const StoredRun::Column& column : run.columns) names.push_back(column.channel.name);
  throw Error(Errc::model, {}, "which channels?", "the run has " + list_names(names, false));
}

void plot(const PlotChoice& options) {
  if (options.folder.empty()) throw Error(Errc::model, {}, "which run?", "for example maggi plot results/pendulum x y");
  const StoredRun all = read_run(options.folder);
  if (options.channels.empty()) ask_for_channels(all);
  const StoredRun run = all.between(options.from, options.until);
  Figure figure{options.title, run.column(options.over), {}, options.log};
  for (const std::string& name : options.channels) figure.curves.push_back(run.column(name));
  const fs::path path = options.out ? fs::path(*options.out) : fs::path(options.folder) / "plot.svg";
  write_figure(path, figure);
  print(fmt::format("{}: {} over {}, {}\n", path.string(), list_names(options.channels, false), options.over,
                    text::count(static_cast<long>(figure.over.values.size()), "state")));
}

}  // namespace

void add_plot(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<PlotChoice>();
  CLI::App* command = app.add_subcommand("plot", "Draw channels of a run into an SVG or PNG, for papers");
  command->add_option("RUN", options->folder, "folder that maggi run has written")->type_name("");
  command->add_option("CHANNEL", options->channels, "what to draw; channels of one unit share a panel")->type_name("");
  command->add_option("--out", options->out, "file, .svg or .png [RUN/plot.svg]")->type_name("FILE");
  command->add_option("--over", options->over, "channel along the horizontal axis [t]")->type_name("CHANNEL");
  command->add_option("--from", options->from, "only states from this time on [s]")->type_name("T");
  command->add_option("--until", options->until, "only states up to this time [s]")->type_name("T");
  command->add_flag("--log", options->log, "logarithms of absolute values");
  command->add_option("--title", options->title, "text above the figure")->type_name("TEXT");
  command->footer(
      "Examples:\n"
      "  maggi plot results/pendulum x y tension\n"
      "  maggi plot results/pendulum y --over x --out path.svg\n"
      "  maggi plot results/pendulum residual.position --log --until 5 --out drift.png\n\n"
      "Without channels it lists those of the run. A .png needs rsvg-convert (Debian: librsvg2-bin).");
  command->callback([options] { plot(*options); });
}

}  // namespace maggi::app
