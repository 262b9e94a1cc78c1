// maggi run: from a model file to a motion in files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "at_start.hpp"
#include "base/names.hpp"
#include "commands.hpp"
#include "dynamics/dynamics.hpp"
#include "folder.hpp"
#include "integration/settings.hpp"
#include "interrupt.hpp"
#include "io/csv/csv.hpp"
#include "io/json/json.hpp"
#include "io/npz/npz.hpp"
#include "io/report/report.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulated.hpp"
#include "simulation_choice.hpp"
#include "start/initial_conditions.hpp"
#include "table.hpp"
#include "trial_run.hpp"

namespace maggi::app {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
  ModelChoice model;
  SimulationChoice simulation;
  std::optional<std::string> formulation, basis, out;
  std::string reactions = "unique", compile = "auto";
  bool json = false, quiet = false;
};

const std::vector<std::string> reaction_names{"unique", "min-norm"};
const std::vector<std::string> compile_names{"auto", "always", "never"};

/// Fixes how formulas are evaluated, before the run.
FormulaEvaluator compile_formulas(AtStart& at, const std::string& name, const Settings& settings) {
  const Compile when = name == "always" ? Compile::always : name == "never" ? Compile::never : Compile::automatic;
  FormulaEvaluator evaluator = at.compile_formulas(when);
  if (when == Compile::automatic && evaluator.name == "tape")
    evaluator = at.compile_formulas(when, expected_evaluations(at, settings));
  if (when == Compile::always && evaluator.name.empty())
    evaluator.text = "none: bodies and joints are computed by the library, so --compile does nothing here";
  return evaluator;
}

/// The model with the options in the place of its own [simulation].
Model read(const RunOptions& options) {
  Model model = options.model.read();
  options.simulation.apply(model);
  if (options.formulation) model.simulation.formulation = options.formulation;
  if (options.basis) model.simulation.basis = options.basis;
  return model;
}

struct RunFiles {
  fs::path folder;
  fs::path csv() const { return folder / "trajectory.csv"; }
  fs::path npz() const { return folder / "trajectory.npz"; }
  fs::path summary() const { return folder / "summary.json"; }
  fs::path report() const { return folder / "report.html"; }
};

RunFiles files_for(const RunOptions& options) {
  return {options.out ? fs::path(*options.out) : fs::path("results") / fs::path(options.model.file).stem()};
}

/// Ctrl-C ends it, and what exists is kept; `show`: how far it is.
Summary simulate_and_tell(Dynamics& dynamics, const State& start, Trajectory& trajectory, IntegrateOptions options,
                          const Interrupt& interrupt, bool show) {
  Progress progress(show);
  options.interrupt = &interrupt.flag();
  options.progress = [&](double t) {
    progress((t - start.t) / (options.until - start.t),
             [&] { return fmt::format("t = {:.4g} of {:.4g} s", t, options.until); });
  };
  return simulate(dynamics, start, trajectory, options);
}

std::string to_text(Table table, const Trajectory& trajectory, const RunFiles& files, const std::string& file) {
  table.row({"files", fmt::format("{}: trajectory.csv, trajectory.npz, summary.json, report.html ({} of {})",
                                  (files.folder / "").string(), count(static_cast<long>(trajectory.size()), "state"),
                                  count(static_cast<long>(trajectory.channels().size()), "channel"))});
  return fmt::format("{}\n{}", title(trajectory.shape(), file), table.text());
}

void write(const RunFiles& files, const RunReport& report) {
  write_csv(files.csv(), report.trajectory);
  write_npz(files.npz(), report.trajectory);
  write_summary(files.summary(), report.summary);
  write_report(files.report(), run_report_json(report));
}

constexpr std::size_t most_names = 8;

/// Names that differ in their last part only become one: "hinge.force.x", "hinge.force.y" → "hinge.force".
std::vector<std::string> shortened(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const std::string front = name.substr(0, name.rfind('.'));
    if (std::ranges::find(result, front) == result.end()) result.push_back(front);
  }
  return result;
}

/// "hinge.first.force.x": what is said of the other side of the joint goes for this one.
bool is_first_side(const std::string& name) {
  return name.find(".first.force") != std::string::npos || name.find(".first.torque") != std::string::npos;
}

/// Channels that the trajectory does not have because they are not unique, in one line.
std::string left_out_note(const Trajectory& trajectory) {
  std::vector<std::string> missing;
  std::unordered_set<std::string> present;
  for (const Channel& channel : trajectory.channels()) present.insert(channel.name);
  const auto look_for = [&](const std::string& name) {
    if (!present.contains(name) && !present.contains(name + " (min-norm)")) missing.push_back(name);
  };
  for (const int i : trajectory.shape().constraints())
    if (const Row& row = trajectory.shape().rows[i]; row.kind != RowKind::servo) look_for("lambda." + row.name);
  for (const Channel& output : trajectory.shape().outputs)
    if (!is_first_side(output.name)) look_for(output.name);
  if (missing.empty()) return "";
  if (missing.size() > most_names) missing = shortened(missing);
  return fmt::format(
      "note: {} left out: constraints depend on each other, so {} not unique (--reactions min-norm shows the one of "
      "least norm; maggi check says who depends on whom)\n",
      list_names(missing, false) + (missing.size() == 1 ? " is" : " are"), missing.size() == 1 ? "it is" : "they are");
}

int run(const RunOptions& options) {
  Stopwatch stopwatch;
  const Model model = read(options);
  const Settings settings = maggi::settings(model);
  AtStart at(model, settings.formulation, settings.basis);
  Dynamics& dynamics = at.dynamics();
  const InitialConditions& start = at.start();
  Trajectory trajectory(at.system(), undetermined_multipliers(dynamics, start.state),
                        options.reactions == "min-norm" ? Reactions::min_norm : Reactions::unique_only);
  stopwatch.note("model and start");
  const Certificate certificate = certify(model, dynamics, start.state);
  stopwatch.note("certificate");
  const RunFiles files = files_for(options);
  make_folder(files.folder);
  const Interrupt interrupt;
  const FormulaEvaluator formulas = compile_formulas(at, options.compile, settings);
  stopwatch.note("formulas");
  Summary summary = simulate_and_tell(dynamics, start.state, trajectory, settings.integrate, interrupt, !options.quiet);
  summary.formulas = formulas.name;
  stopwatch.note("motion");
  Table table = facts(dynamics, summary, settings.integrate);
  if (!formulas.text.empty()) table.row({"formulas", formulas.text});
  RunReport report{title(at.shape(), options.model.file),
                   {},
                   summary,
                   trajectory,
                   certificate.get(),
                   certificate.why_not,
                   certificate.certified(),
                   stopwatch.seconds()};
  for (const std::vector<std::string>& row : table.rows()) report.facts.emplace_back(row[0], row[1]);
  write(files, report);

  if (!options.quiet) complain(left_out_note(trajectory));
  if (options.json)
    print(summary_json(summary));
  else if (!options.quiet)
    print(to_text(table, trajectory, files, options.model.file) + hidden_text(at.hidden()));
  for (const Outcome good : {Outcome::reached_end, Outcome::stopped})
    if (summary.outcome == outcome_name(good)) return 0;
  complain(fmt::format("{}: {} at t = {:.6g} s{}{}\n", options.model.file, summary.outcome, summary.t,
                       summary.explanation.empty() ? "" : ": ", summary.explanation));
  return 2;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Simulate a model; writes trajectory.csv, trajectory.npz, summary.json, report.html");
  options->model.add_to(*command);
  options->simulation.add_to(*command);
  std::vector<std::string> formulations(formulation_choices().begin(), formulation_choices().end());
  formulations.insert(formulations.begin(), "auto");
  add_name(*command, "--formulation", options->formulation, "formulation", formulations, "auto");
  add_name(*command, "--basis", options->basis, "basis", basis_names(), "the formulation's own");
  command
      ->add_option("--reactions", options->reactions,
                   "multipliers that are not unique: unique leaves them out, min-norm shows the least [unique]")
      ->type_name("NAME")
      ->check(one_of(reaction_names, "choice of reactions"));
  command
      ->add_option("--compile", options->compile,
                   "compile the formulas: auto does if the code is in the cache or if it pays, always, never [auto]")
      ->type_name("NAME")
      ->check(one_of(compile_names, "choice for compiling"));
  command->add_option("--out", options->out, "folder for the files [results/<model>]")->type_name("DIR");
  command->add_flag("--json", options->json, "the summary for programs, on stdout");
  command->add_flag("-q,--quiet", options->quiet, "print nothing but errors");
  command->footer(
      "Options take the place of the model's [simulation]; numbers may be formulas over its parameters.\n\n"
      "Examples:\n"
      "  maggi run models/moving_pendulum.toml\n"
      "  maggi run models/andrews_squeezer.toml --integrator dop853 --rtol 1e-6\n"
      "  maggi run models/pendulum.toml --set l=2 m=0.5 --until 20 --out /tmp/long_pendulum\n\n"
      "Ctrl-C writes what exists. A run that does not reach its end has exit code 2.");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace maggi::app
