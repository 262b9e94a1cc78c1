// maggi compare: every formulation on every basis, on the user's own model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "interrupt.hpp"
#include "maggi/files.hpp"
#include "maggi/run_choices.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulation_choice.hpp"
#include "text/comparison.hpp"

namespace maggi::app {

namespace {

struct CompareChoice {
  ModelChoice model;
  SimulationChoice simulation;
  CompareOptions what;
  std::vector<std::string> drifts, unknowns;
  std::optional<std::string> csv, work_precision, report;
  bool no_run = false, json = false;
};

void write_files(const CompareChoice& options, const Comparison& found) {
  if (options.csv) write_csv(*options.csv, found);
  if (options.work_precision) write_work_precision(*options.work_precision, found);
  if (options.report) write_report(*options.report, found);
}

/// "all" stands for every one.
template <class Enum>
std::vector<Choice<Enum>> chosen(const std::vector<std::string>& given, const std::vector<std::string>& names) {
  const bool all = std::ranges::find(given, "all") != given.end();
  return {(all ? names : given).begin(), (all ? names : given).end()};
}

void add_kinds(CLI::App& command, const char* option, std::vector<std::string>& target, const char* kind,
               std::span<const std::string> names) {
  std::vector<std::string> and_all(names.begin(), names.end());
  and_all.emplace_back("all");
  add_names(command, option, target, kind, and_all, "the model's");
}

/// Each phase has its own bar: how long one takes says nothing about the next.
Comparison compare_with_progress(Simulation& simulation, CompareOptions what) {
  const Interrupt interrupt;
  std::string current;
  std::optional<Progress> progress;
  what.motion.interrupt = &interrupt.flag();
  what.progress = [&](std::string_view phase, double part) {
    if (phase != current) progress.emplace();
    current = phase;
    (*progress)(part, [&] { return phase; });
  };
  return simulation.compare(what);
}

int compare(const CompareChoice& options) {
  Model model = options.model.read();
  options.simulation.apply(model);
  CompareOptions what = options.what;
  what.run = !options.no_run;
  what.drifts = chosen<Drift>(options.drifts, run_choices().drifts);
  what.unknowns = chosen<Unknowns>(options.unknowns, run_choices().unknowns);
  Simulation simulation(std::move(model));
  const Comparison found = compare_with_progress(simulation, what);
  print(options.json ? to_json(found) : to_text(found));
  write_files(options, found);
  const std::string complaint = text::comparison_complaint(found, options.model.file);
  complain(complaint);
  return complaint.empty() ? 0 : 2;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CompareChoice>();
  CLI::App* command =
      app.add_subcommand("compare", "Every formulation on every basis: errors, time, work, drift on this model");
  CompareOptions& what = options->what;
  options->model.add_to(*command);
  add_names(*command, "--formulation", what.formulations, "formulation", run_choices().formulations);
  add_names(*command, "--basis", what.bases, "basis", run_choices().bases);
  command->add_flag("--no-run", options->no_run, "at the start and near it only, without the motion");
  options->simulation.add_without_drift_to(*command);
  add_kinds(*command, "--drift", options->drifts, "drift control", run_choices().drifts);
  add_kinds(*command, "--unknowns", options->unknowns, "choice of unknowns", run_choices().unknowns);
  command->add_option("--accuracy", what.accuracy, "relative error of the end at which work is stated")
      ->type_name("E")
      ->capture_default_str();
  command->add_option("--rtols", what.rtols, "the runs that show work against precision, each with this rtol (a,b)")
      ->type_name("R")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("1e-4,1e-6,1e-8,1e-10");
  command->add_option("--timing", what.timing, "CPU time spent on timing each method [s]; 0: none")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--csv", options->csv, "also write the rows into a file")->type_name("FILE");
  command->add_option("--work-precision", options->work_precision, "also write the runs at all tolerances into a file")
      ->type_name("FILE");
  command->add_option("--report", options->report, "also write a page to look at: work against precision, all methods")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer(
      "Examples:\n"
      "  maggi compare models/andrews_squeezer.toml\n"
      "  maggi compare models/four_bar_slider.toml --formulation maggi --drift all --accuracy 1e-8\n"
      "  maggi compare models/car_axis.toml --basis qr --work-precision diagram.csv\n"
      "  maggi compare models/parallel_rods.toml --no-run --csv rods.csv\n\n"
      "A method that refuses is listed with its reason. Exit code 2 if one that does not refuse disagrees,\n"
      "or if the motion does not reach its end. Ctrl-C prints what exists.");
  command->callback([options, &exit_code] { exit_code = compare(*options); });
}

}  // namespace maggi::app
