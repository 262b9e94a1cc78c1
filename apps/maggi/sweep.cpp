// maggi sweep: many runs of a model, their results in a table, and how these are distributed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "commands.hpp"
#include "folder.hpp"
#include "interrupt.hpp"
#include "io/report/report.hpp"
#include "io/report/sweep_report.hpp"
#include "io/stored/sweep_files.hpp"
#include "io/stored/sweep_folder.hpp"
#include "maggi/error.hpp"
#include "maggi/run_choices.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulation_choice.hpp"
#include "sweep_executor.hpp"
#include "text/sweep.hpp"

namespace maggi::app {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> design_names{"random", "lhs"}, lane_names{"auto", "on", "off"};

struct SweepChoice {
  ModelChoice model;
  SimulationChoice simulation;
  std::optional<std::string> formulation, basis, out;
  std::vector<std::string> over, keep;
  std::optional<std::uint64_t> runs;
  std::uint64_t seed = 1;
  std::string design = "random", lanes = "auto";
  std::vector<double> quantiles{0.05, 0.25, 0.5, 0.75, 0.95};
  bool restart = false, json = false, quiet = false;
};

Sweep make_sweep(const SweepChoice& options) {
  for (const double part : options.quantiles)
    if (!(part >= 0.0 && part <= 1.0))
      throw Error(Errc::model, {"--quantiles"}, fmt::format("quantile {:g} is outside 0 … 1", part),
                  "from 0 to 1: 0.05,0.5,0.95");
  Model model = options.model.read();
  options.simulation.apply(model);
  if (options.formulation) model.simulation.formulation = options.formulation;
  if (options.basis) model.simulation.basis = options.basis;
  SweepOptions what{.over = options.over, .keep = options.keep, .runs = options.runs, .seed = options.seed};
  if (options.design == "lhs") what.sampling = Design::Sampling::latin_hypercube;
  if (options.lanes != "auto") what.lanes = options.lanes == "on" ? LaneUse::always : LaneUse::never;
  return {Simulation(std::move(model)), what};
}

/// Returns when all runs have been made, or soon after Ctrl-C. The seconds that it took.
double make_runs(const SweepChoice& options, const Sweep& sweep, Executor& executor, SweepFolder& results) {
  const Interrupt interrupt;
  Progress progress(!options.quiet);
  const auto begin = std::chrono::steady_clock::now();
  const SweepTable& table = results.table();
  RunQueue queue(sweep, table.done());
  const std::uint64_t all = sweep.design().size(), left = all - table.count();
  const auto accept = [&](std::vector<RunResult> made) {
    results.accept(std::move(made));
    progress(1.0 - static_cast<double>(all - table.count()) / static_cast<double>(left),
             [&] { return fmt::format("run {} of {}, {} failed", table.count(), all, table.failures().size()); });
  };
  executor.run_all(sweep, queue, accept, interrupt.flag());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void write_files(const SweepChoice& options, const std::string& title, SweepFolder& results) {
  if (!results.write(options.quantiles))
    complain(fmt::format("note: {} is left out, it would have more than 4 GiB; sweep.csv has all runs\n",
                         (results.path() / "sweep.npz").string()));
  write_report(results.path() / "report.html", sweep_report_json(title, results.table(), options.quantiles));
}

std::string to_text(const SweepTable& table, const std::string& title, const std::string& how, const fs::path& folder,
                    const std::vector<double>& quantiles) {
  text::Table facts = text::sweep_facts(table, how);
  facts.row({"files", fmt::format("{}: sweep.csv, sweep.npz, statistics.json, statistics.csv, report.html",
                                  (folder / "").string())});
  return fmt::format("{}\n{}\n{}", title, facts.text(), text::sweep_statistics(table, quantiles).text());
}

/// What one process of a sweep does alone: the journal, the files, what is printed.
int lead(const SweepChoice& options, const Sweep& sweep, Executor& executor) {
  const fs::path folder =
      options.out ? fs::path(*options.out) : fs::path("results") / fs::path(options.model.file).stem() / "sweep";
  make_folder(folder);
  SweepFolder results(folder, sweep, options.restart);
  if (!options.quiet) complain(results.resumed_text());
  const double seconds = make_runs(options, sweep, executor, results);
  const SweepTable& table = results.table();
  if (!results.complete()) {
    complain(fmt::format("{}: interrupted after {} of {} runs; the same command goes on with them\n",
                         options.model.file, table.count(), sweep.design().size()));
    return 2;
  }
  const std::string title = sweep.model().title.empty() ? options.model.file : sweep.model().title;
  write_files(options, title, results);
  if (options.json)
    print(sweep_statistics_json(table, options.quantiles));
  else if (!options.quiet)
    print(to_text(table, title, fmt::format("{}, {:.3g} s", executor.text(), seconds), folder, options.quantiles));
  if (table.failures().empty()) return 0;
  complain(fmt::format("{}: {}\n", options.model.file, text::sweep_complaint(table)));
  return 2;
}

}  // namespace

void add_sweep(CLI::App& app, int& exit_code, Executor& executor) {
  const auto options = std::make_shared<SweepChoice>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Run a model many times with other numbers; a table, its statistics, a page to look at");
  options->model.add_to(*command);
  command->add_option("--over", options->over, "what to vary; several: every combination")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--keep", options->keep,
          "of each run: x (last value), min(x), max(x), mean(x), rms(x), at(x, 2.5); may be repeated [the outputs "
          "of the model]")
      ->type_name("OUTPUT")
      ->allow_extra_args(false);
  command->add_option("--runs", options->runs, "how many values to draw")->type_name("N");
  command->add_option("--seed", options->seed, "of the draws; the same seed draws the same [1]")->type_name("S");
  command->add_option("--design", options->design, "how to draw: random, or lhs, a Latin hypercube [random]")
      ->type_name("NAME")
      ->check(one_of(design_names, "design"));
  command->add_option("--quantiles", options->quantiles, "parts of all runs [0.05,0.25,0.5,0.75,0.95]")
      ->delimiter(',')
      ->type_name("P,P,...");
  command
      ->add_option("--lanes", options->lanes,
                   "eight runs side by side on each core: auto where the model allows it, on, off [auto]")
      ->type_name("NAME")
      ->check(one_of(lane_names, "choice of lanes"));
  executor.add_to(*command);
  options->simulation.add_to(*command);
  std::vector<std::string> formulations = run_choices().formulations;
  formulations.insert(formulations.begin(), "auto");
  add_name(*command, "--formulation", options->formulation, "formulation", formulations, "auto");
  add_name(*command, "--basis", options->basis, "basis", run_choices().bases, "the formulation's own");
  command->add_option("--out", options->out, "folder for the files [results/<model>/sweep]")->type_name("DIR");
  command->add_flag("--restart", options->restart, "forget the runs of a sweep that was not finished");
  command->add_flag("--json", options->json, "the statistics for programs, on stdout");
  command->add_flag("-q,--quiet", options->quiet, "print nothing but errors");
  command->footer(
      "VALUES: 1:0.1:2 (first:step:last), 1,2,5, uniform(1,2), normal(1,0.1) (mean, deviation). NAME: a parameter, or "
      "x or\n"
      "x' if its value at the start is given. Options take the place of the model's [simulation].\n\n"
      "Examples:\n"
      "  maggi sweep models/pendulum.toml --over \"l=0.5:0.1:2\" --keep \"max(x)\"\n"
      "  maggi sweep models/moving_pendulum.toml --over m=1,2,5 --over \"rho=0.5:0.05:1\" --keep \"rms(x3')\"\n"
      "  maggi sweep models/moving_pendulum.toml --over \"m=normal(2,0.1)\" --over \"J=uniform(0.4,0.6)\" --runs 1000 "
      "--design lhs\n\n"
      "An interrupted sweep resumes when the same command is given again. Runs that fail are in the "
      "table\n"
      "with their reason; then the exit code is 2. Results do not depend on the number of threads.");
  command->callback([options, &exit_code, &executor] {
    const Sweep sweep = make_sweep(*options);
    exit_code = executor.leads() ? lead(*options, sweep, executor) : (executor.follow(sweep), 0);
  });
}

}  // namespace maggi::app
