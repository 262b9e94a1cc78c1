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
#include "io/file/file.hpp"
#include "io/report/report.hpp"
#include "io/report/sweep_report.hpp"
#include "io/stored/sweep_files.hpp"
#include "io/stored/sweep_journal.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulation_choice.hpp"
#include "sweep_crew.hpp"
#include "text/table.hpp"
#include "text/words.hpp"

namespace maggi::app {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> design_names{"random", "lhs"}, lane_names{"auto", "on", "off"};

struct SweepOptions {
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

Sweep make_sweep(const SweepOptions& options) {
  if (options.over.empty())
    throw Error(Errc::model, {}, "what is to be varied?",
                "for example --over \"m=1:0.1:2\"; maggi sweep --help has more");
  for (const double part : options.quantiles)
    if (!(part >= 0.0 && part <= 1.0))
      throw Error(Errc::model, {"--quantiles"}, fmt::format("{:g} is no part of all runs", part),
                  "from 0 to 1: 0.05,0.5,0.95");
  Model model = options.model.read();
  options.simulation.apply(model);
  if (options.formulation) model.simulation.formulation = options.formulation;
  if (options.basis) model.simulation.basis = options.basis;
  std::vector<Axis> axes;
  for (const std::string& text : options.over) axes.emplace_back(text, model);
  std::vector<Measure> measures;
  for (const std::string& text : options.keep) measures.emplace_back(text);
  Design design(std::move(axes), options.runs, options.seed,
                options.design == "lhs" ? Design::Sampling::latin_hypercube : Design::Sampling::random);
  return {std::move(model), std::move(design), std::move(measures),
          options.lanes == "on"    ? LaneUse::always
          : options.lanes == "off" ? LaneUse::never
                                   : LaneUse::automatic};
}

struct SweepFiles {
  fs::path folder;
  fs::path journal() const { return folder / "sweep.journal"; }
  fs::path csv() const { return folder / "sweep.csv"; }
  fs::path npz() const { return folder / "sweep.npz"; }
  fs::path json() const { return folder / "statistics.json"; }
  fs::path statistics() const { return folder / "statistics.csv"; }
  fs::path report() const { return folder / "report.html"; }
};

std::string sweep_title(const SweepTable& table, const SweepOptions& options) {
  const std::string& given = table.sweep().model().title;
  return given.empty() ? options.model.file : given;
}

void write(const SweepFiles& files, const SweepTable& table, const SweepOptions& options) {
  const std::vector<double>& parts = options.quantiles;
  write_sweep_csv(files.csv(), table);
  if (!write_sweep_npz(files.npz(), table))
    complain(fmt::format("note: {} is left out, it would have more than 4 GiB; sweep.csv has all runs\n",
                         files.npz().string()));
  write_file(files.json(), sweep_statistics_json(table, parts));
  write_sweep_statistics_csv(files.statistics(), table, parts);
  write_report(files.report(), sweep_report_json(sweep_title(table, options), table, parts));
}

std::string values_of(const Design& design, std::uint64_t run) {
  std::string text;
  for (std::size_t i = 0; i < design.axes().size(); ++i)
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", design.axes()[i].name(), design.value(run, i));
  return text;
}

/// For people: what was varied, how many runs, how each output is distributed, which runs failed.
std::string to_text(const SweepTable& table, const SweepFiles& files, const SweepOptions& options,
                    const std::string& how) {
  const Sweep& sweep = table.sweep();
  text::Table facts("ll");
  for (std::size_t i = 0; i < options.over.size(); ++i) facts.row({i == 0 ? "varied" : "", options.over[i]});
  if (sweep.design().text() != "none") facts.row({"drawn", sweep.design().text()});
  facts.row({"runs", fmt::format("{}: {} reached their end, {} failed; {}", table.count(),
                                 table.count() - table.failures().size(), table.failures().size(), how)});
  facts.row({"lanes", sweep.in_lanes() ? "eight runs side by side" : "one run at a time: " + sweep.why_no_lanes()});
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; const auto& [run, reason] : table.failures()) {
    if (i == most) {
      facts.row({"", fmt::format("and {} more, in sweep.csv", table.failures().size() - most)});
      break;
    }
    facts.row({i++ == 0 ? "failed" : "", fmt::format("run {} ({}): {}", run, values_of(sweep.design(), run), reason)});
  }
  facts.row({"files", fmt::format("{}: sweep.csv, sweep.npz, statistics.json, statistics.csv, report.html",
                                  (files.folder / "").string())});

  text::Table statistics("l" + std::string(options.quantiles.size() + 5, 'r'));
  std::vector<std::string> head{"output", "unit", "mean", "deviation", "min"};
  for (const double part : options.quantiles) head.push_back(fmt::format("{:g} %", 100 * part));
  head.emplace_back("max");
  statistics.row(head);
  for (std::size_t i = 0; i < sweep.columns().size(); ++i) {
    const Spread d = table.spread(i, options.quantiles);
    if (d.count == 0) continue;
    std::vector<std::string> row{sweep.columns()[i].name, sweep.columns()[i].unit, text::number(d.mean),
                                 text::number(d.deviation), text::number(d.least)};
    for (const auto& [part, value] : d.quantiles) row.push_back(text::number(value));
    row.push_back(text::number(d.greatest));
    statistics.row(row);
  }
  return fmt::format("{}\n{}\n{}", sweep_title(table, options), facts.text(), statistics.text());
}

/// Everything that one process of a sweep does alone: the journal, the files, what is printed.
int lead(const SweepOptions& options, const Sweep& sweep, Crew& crew) {
  const SweepFiles files{options.out ? fs::path(*options.out)
                                     : fs::path("results") / fs::path(options.model.file).stem() / "sweep"};
  make_folder(files.folder);
  if (options.restart) fs::remove(files.journal());
  SweepTable table(sweep, files.folder);
  SweepJournal journal(files.journal(), identity(sweep), sweep, [&](RunResult r) { table.put(std::move(r)); });
  const std::uint64_t before = table.count(), all = sweep.design().size();
  if (before > 0 && !options.quiet)
    complain(fmt::format(
        "going on with {}: {} of {} runs are done{}\n", files.journal().string(), before, all,
        journal.damaged() == 0
            ? ""
            : fmt::format(", {} damaged and made again", text::count(static_cast<long>(journal.damaged()), "record"))));

  const Interrupt interrupt;
  const auto begin = std::chrono::steady_clock::now();
  {
    Progress progress(!options.quiet);
    Deal deal(sweep, table.done());
    crew.work_off(
        sweep, deal,
        [&](std::vector<RunResult> results) {
          std::erase_if(results, [&](const RunResult& result) { return table.has(result.run); });
          journal.append(results);
          for (RunResult& result : results) table.put(std::move(result));
          progress(static_cast<double>(table.count() - before) / static_cast<double>(all - before),
                   [&] { return fmt::format("run {} of {}, {} failed", table.count(), all, table.failures().size()); });
        },
        interrupt.flag());
  }
  if (table.count() < all) {
    complain(fmt::format("{}: interrupted after {} of {} runs; the same command goes on with them\n",
                         options.model.file, table.count(), all));
    return 2;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  write(files, table, options);
  journal.remove();

  if (options.json)
    print(sweep_statistics_json(table, options.quantiles));
  else if (!options.quiet)
    print(to_text(table, files, options, fmt::format("{}, {:.3g} s", crew.text(), seconds)));
  if (table.failures().empty()) return 0;
  const auto& [run, reason] = *table.failures().begin();
  complain(fmt::format("{}: {} of {} runs failed, the first is run {} ({}): {}\n", options.model.file,
                       table.failures().size(), all, run, values_of(sweep.design(), run), reason));
  return 2;
}

}  // namespace

void add_sweep(CLI::App& app, int& exit_code, Crew& crew) {
  const auto options = std::make_shared<SweepOptions>();
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
  crew.add_to(*command);
  options->simulation.add_to(*command);
  std::vector<std::string> formulations(formulation_choices().begin(), formulation_choices().end());
  formulations.insert(formulations.begin(), "auto");
  add_name(*command, "--formulation", options->formulation, "formulation", formulations, "auto");
  add_name(*command, "--basis", options->basis, "basis", basis_names(), "the formulation's own");
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
      "A sweep that was killed goes on where it was when the same command is given again. Runs that fail are in the "
      "table\n"
      "with their reason; then the exit code is 2. Results do not depend on the number of threads.");
  command->callback([options, &exit_code, &crew] {
    const Sweep sweep = make_sweep(*options);
    exit_code = crew.leads() ? lead(*options, sweep, crew) : (crew.follow(sweep), 0);
  });
}

}  // namespace maggi::app
