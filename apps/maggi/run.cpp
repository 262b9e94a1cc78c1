// maggi run: from a model file to a motion in files.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>

#include "at_start.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "maggi/base/names.hpp"
#include "maggi/integration/initial_conditions.hpp"
#include "maggi/integration/settings.hpp"
#include "maggi/io/csv.hpp"
#include "maggi/io/json.hpp"
#include "maggi/io/npz.hpp"
#include "maggi/io/report.hpp"
#include "maggi/results/summary.hpp"
#include "maggi/system/make_system.hpp"
#include "maggi/system/mechanism_system.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulation_choice.hpp"
#include "table.hpp"

namespace maggi::app {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
  ModelChoice model;
  SimulationChoice simulation;
  std::optional<std::string> formulation, basis, out;
  std::string reactions = "unique";
  bool json = false, quiet = false;
};

const std::vector<std::string> reaction_names{"unique", "min-norm"};

/// The model with the options in the place of its own [simulation].
Model read(const RunOptions& options) {
  Model model = options.model.read();
  options.simulation.apply(model);
  if (options.formulation) model.simulation.formulation = options.formulation;
  if (options.basis) model.simulation.basis = options.basis;
  return model;
}

struct Files {
  fs::path folder;
  fs::path csv() const { return folder / "trajectory.csv"; }
  fs::path npz() const { return folder / "trajectory.npz"; }
  fs::path summary() const { return folder / "summary.json"; }
  fs::path report() const { return folder / "report.html"; }
};

Files files_for(const RunOptions& options) {
  return {options.out ? fs::path(*options.out) : fs::path("results") / fs::path(options.model.file).stem()};
}

/// Before the run, so that no long run ends without a place for its results.
void make_folder(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (!fault && access(folder.c_str(), W_OK) != 0) fault = std::error_code(errno, std::generic_category());
  if (fault)
    throw Error(Errc::io, {folder.string()}, fmt::format("cannot write there: {}", fault.message()),
                "--out DIR takes another folder");
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Integrates; a value of the trajectory that is not finite ends the run, what came before it stays.
Summary integrate_and_summarise(Dynamics& dynamics, const State& start, Trajectory& trajectory,
                                IntegrateOptions options, bool show_progress) {
  const Interrupt interrupt;
  Progress progress(show_progress);
  options.interrupt = &interrupt.flag();
  options.progress = [&](double t) {
    progress((t - start.t) / (options.until - start.t),
             [&] { return fmt::format("t = {:.4g} of {:.4g} s", t, options.until); });
  };
  const double begin = cpu_seconds();
  Run run;
  try {
    run = integrate(dynamics, start, trajectory, options);
  } catch (const Error& error) {
    if (error.code() != Errc::numerics) throw;
    if (trajectory.size() > 0) run.t = trajectory(trajectory.size() - 1, 0);
    run.explanation = error.what();
    Summary summary = summarise(dynamics, run, trajectory, cpu_seconds() - begin);
    summary.outcome = "failed";
    return summary;
  }
  return summarise(dynamics, run, trajectory, cpu_seconds() - begin);
}

/// One line per event, and no more than fit on a screen.
void add_events(Table& table, const std::vector<EventRecord>& events) {
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(events.size(), most); ++i) {
    const EventRecord& event = events[i];
    std::string impulses;
    for (const auto& [name, value] : event.impulses)
      impulses += fmt::format("{}{} {:.6g}", impulses.empty() ? "; impulses " : ", ", name, value);
    if (!impulses.empty()) impulses += fmt::format("; energy lost {:.6g} J", event.energy_lost);
    table.row(
        {i == 0 ? "events" : "", fmt::format("t = {:.9g} s: {} {}{}", event.t, event.name, event.what, impulses)});
  }
  if (events.size() > most) table.row({"", fmt::format("and {} more, in summary.json", events.size() - most)});
}

/// The run in a few lines.
Table facts(const Dynamics& dynamics, const Summary& s, const IntegrateOptions& o) {
  const Shape& shape = dynamics.shape();
  Table table("ll");
  table.row({"degrees of freedom", fmt::format("{}: {}, {} of rank {}{}", s.dof, count(shape.n(), "coordinate"),
                                               count(static_cast<long>(shape.constraints().size()), "constraint"),
                                               s.rank, with_contacts(shape, dynamics.mode()))});
  table.row({"formulation",
             fmt::format("{}{}: {}", s.formulation,
                         dynamics.basis().empty() ? "" : fmt::format(" with basis {}", dynamics.basis()), s.reason)});
  const bool fixed = o.integrator == "rk4" || o.integrator == "projected-bdf";
  table.row(
      {"integrator", fixed ? fmt::format("{}: step {}{:g} s, drift {}", o.integrator,
                                         o.integrator == "rk4" ? "" : "at most ", o.step, o.drift)
                           : fmt::format("{}: rtol {:g}, atol {:g}, drift {}", o.integrator, o.rtol, o.atol, o.drift)});
  if (o.unknowns != IntegrateOptions().unknowns)
    table.row(
        {"unknowns", fmt::format("{}{}", o.unknowns,
                                 s.restarts > 0 ? fmt::format(", chosen anew {}", count(s.restarts, "time")) : "")});
  table.row({"outcome", fmt::format("{} at t = {:.6g} s", s.outcome, s.t)});
  add_events(table, s.events);
  table.row({"work", fmt::format("{}, {}, {:.3g} s of CPU time", count(s.steps, "step"),
                                 count(s.evaluations, "evaluation"), s.seconds)});
  if (shape.s_p + shape.s_v > 0)
    table.row({"residuals", fmt::format("{}velocity {:.1e}, the largest",
                                        shape.s_p > 0 ? fmt::format("position {:.1e}, ", s.residual_position) : "",
                                        s.residual_velocity)});
  table.row({"energy", s.energy_drift     ? fmt::format("conserved, drift {:.1e} J", *s.energy_drift)
                       : s.energy_balance ? fmt::format("balance with the work done: {:.1e} J of {:.3g} J turned over",
                                                        *s.energy_balance, *s.energy_turned_over)
                                          : "not compared: " + s.energy_note});
  return table;
}

std::string to_text(Table table, const Trajectory& trajectory, const Files& files, const std::string& file) {
  table.row({"files", fmt::format("{}: trajectory.csv, trajectory.npz, summary.json, report.html ({} of {})",
                                  (files.folder / "").string(), count(static_cast<long>(trajectory.size()), "state"),
                                  count(static_cast<long>(trajectory.channels().size()), "channel"))});
  return fmt::format("{}\n{}", title(trajectory.shape(), file), table.text());
}

/// The constraints at the start: of a mechanism all joints, not only those that close loops.
struct Certificate {
  std::unique_ptr<MechanismSystem> all_joints;  ///< null: the rows of the system itself
  std::optional<Redundancy> found;
  std::string why_not;  ///< the report says so, and the run goes on
};

Certificate certify(const Model& model, Dynamics& dynamics, const State& start) {
  Certificate result;
  try {
    if (const auto* mechanism = dynamic_cast<const MechanismSystem*>(&dynamics.system())) {
      result.all_joints = MechanismSystem::make_absolute(model);
      Dynamics of_all_joints(*result.all_joints);
      const State everywhere = mechanism->absolute(start);
      of_all_joints.decide_rows(everywhere);
      result.found = find_redundancy(of_all_joints, everywhere);
    } else if (dynamics.shape().m() > 0) {
      result.found = find_redundancy(dynamics, start);
    }
  } catch (const Error& error) { result.why_not = error.what(); }
  return result;
}

void write(const Files& files, const RunReport& report) {
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

/// Channels that the trajectory does not have because they are not unique, in one line.
std::string left_out_note(const Trajectory& trajectory) {
  std::vector<std::string> missing;
  const auto look_for = [&](const std::string& name) {
    if (!trajectory.find(name) && !trajectory.find(name + " (min-norm)")) missing.push_back(name);
  };
  for (const int i : trajectory.shape().constraints())
    if (const Row& row = trajectory.shape().rows[i]; row.kind != RowKind::servo) look_for("lambda." + row.name);
  for (const Channel& output : trajectory.shape().outputs) look_for(output.name);
  if (missing.empty()) return "";
  if (missing.size() > most_names) missing = shortened(missing);
  return fmt::format(
      "note: {} left out: constraints depend on each other, so {} not unique (--reactions min-norm shows the one of "
      "least norm; maggi check says who depends on whom)\n",
      list_names(missing, false) + (missing.size() == 1 ? " is" : " are"), missing.size() == 1 ? "it is" : "they are");
}

int run(const RunOptions& options) {
  const Model model = read(options);
  const Settings settings = maggi::settings(model);
  AtStart at(model, settings.formulation, settings.basis);
  Dynamics& dynamics = at.dynamics();
  const InitialConditions& start = at.start();
  Trajectory trajectory(at.system(), undetermined_multipliers(dynamics, start.state),
                        options.reactions == "min-norm" ? Reactions::min_norm : Reactions::unique_only);
  const Certificate certificate = certify(model, dynamics, start.state);
  const Files files = files_for(options);
  make_folder(files.folder);
  const Summary summary =
      integrate_and_summarise(dynamics, start.state, trajectory, settings.integrate, !options.quiet);
  const Table table = facts(dynamics, summary, settings.integrate);
  RunReport report{title(at.shape(), options.model.file),
                   {},
                   summary,
                   trajectory,
                   certificate.found ? &*certificate.found : nullptr,
                   certificate.why_not,
                   certificate.all_joints ? &certificate.all_joints->shape() : nullptr};
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
  std::vector<std::string> formulations(formulation_names().begin(), formulation_names().end());
  formulations.insert(formulations.begin(), "auto");
  add_name(*command, "--formulation", options->formulation, "formulation", formulations, "auto");
  add_name(*command, "--basis", options->basis, "basis", basis_names(), "the formulation's own");
  command
      ->add_option("--reactions", options->reactions,
                   "multipliers that are not unique: unique leaves them out, min-norm shows the least [unique]")
      ->type_name("NAME")
      ->check(one_of(reaction_names, "choice of reactions"));
  command->add_option("--out", options->out, "folder for the files [results/<model>]")->type_name("DIR");
  command->add_flag("--json", options->json, "the summary for programs, on stdout");
  command->add_flag("-q,--quiet", options->quiet, "print nothing but errors");
  command->footer(
      "Options take the place of the model's [simulation]; numbers may be formulas over its parameters.\n\n"
      "Examples:\n"
      "  maggi run models/moving_pendulum.toml\n"
      "  maggi run models/andrews_squeezer.toml --integrator cvode-bdf --rtol 1e-6\n"
      "  maggi run models/pendulum.toml --set l=2 m=0.5 --until 20 --out /tmp/long_pendulum\n\n"
      "Ctrl-C writes what exists. A run that does not reach its end has exit code 2.");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace maggi::app
