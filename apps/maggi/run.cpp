// maggi run: from a model file to a motion in files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "commands.hpp"
#include "folder.hpp"
#include "interrupt.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "maggi/files.hpp"
#include "maggi/run_choices.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulation_choice.hpp"
#include "text/hidden_constraints.hpp"
#include "text/motion.hpp"
#include "text/rounding.hpp"
#include "text/words.hpp"

namespace maggi::app {

namespace {

namespace fs = std::filesystem;

struct RunChoice {
  ModelChoice model;
  SimulationChoice simulation;
  std::optional<std::string> formulation, basis, out;
  std::string reactions = "unique", compile = "auto";
  bool json = false, quiet = false;
};

/// The model with the options in the place of its own [simulation].
Model read(const RunChoice& choice) {
  Model model = choice.model.read();
  choice.simulation.apply(model);
  if (choice.formulation) model.simulation.formulation = choice.formulation;
  if (choice.basis) model.simulation.basis = choice.basis;
  return model;
}

/// Ctrl-C ends the run, and what exists is kept.
Motion run_with_progress(Simulation& simulation, const RunChoice& choice) {
  const Interrupt interrupt;
  Progress progress(!choice.quiet);
  const auto [begin, end] = simulation.span();
  RunOptions options;
  options.reactions = choice.reactions;
  options.compile = choice.compile;
  options.interrupt = &interrupt.flag();
  options.progress = [&, begin = begin, end = end](double t) {
    progress((t - begin) / (end - begin), [&] { return fmt::format("t = {:.4g} of {:.4g} s", t, end); });
  };
  return simulation.run(options);
}

void write(const fs::path& folder, const Motion& motion) {
  write_csv(folder / "trajectory.csv", motion);
  write_npz(folder / "trajectory.npz", motion);
  write_summary(folder / "summary.json", motion);
  write_report(folder / "report.html", motion);
}

std::string to_text(Simulation& simulation, const Motion& motion, const fs::path& folder) {
  text::Table table = text::facts(motion);
  table.row({"files", fmt::format("{}: trajectory.csv, trajectory.npz, summary.json, report.html ({} of {})",
                                  (folder / "").string(), text::count(static_cast<long>(motion.size()), "state"),
                                  text::count(static_cast<long>(motion.names().size()), "channel"))});
  return fmt::format("{}\n{}{}{}", simulation.title(), table.text(), text::rounding_text(simulation.system()),
                     text::hidden_text(simulation.hidden_constraints()));
}

int run(const RunChoice& choice) {
  Simulation simulation(read(choice));
  (void)simulation.span();  // a model that cannot run leaves no folder behind
  const fs::path folder = choice.out ? fs::path(*choice.out) : fs::path("results") / fs::path(choice.model.file).stem();
  make_folder(folder);
  const Motion motion = run_with_progress(simulation, choice);
  write(folder, motion);

  if (!choice.quiet)
    complain(text::lock_warnings(simulation.system()) + notes_text(motion.summary().notes) +
             text::omitted_note(motion));
  if (choice.json)
    print(to_json(motion));
  else if (!choice.quiet)
    print(to_text(simulation, motion, folder));
  if (is_success(motion.outcome())) return 0;
  complain(fmt::format("{}: {} at t = {:.6g} s{}{}\n", choice.model.file, outcome_name(motion.outcome()),
                       motion.summary().t, motion.explanation().empty() ? "" : ": ", motion.explanation()));
  return 2;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<RunChoice>();
  CLI::App* command =
      app.add_subcommand("run", "Simulate a model; writes trajectory.csv, trajectory.npz, summary.json, report.html");
  options->model.add_to(*command);
  options->simulation.add_to(*command);
  options->simulation.add_also_to(*command);
  std::vector<std::string> formulations(formulation_choices().begin(), formulation_choices().end());
  formulations.insert(formulations.begin(), "auto");
  add_name(*command, "--formulation", options->formulation, "formulation", formulations, "auto");
  add_name(*command, "--basis", options->basis, "basis", basis_names(), "the formulation's own");
  command
      ->add_option("--reactions", options->reactions,
                   "multipliers that are not unique: unique leaves them out, min-norm shows the least [unique]")
      ->type_name("NAME")
      ->check(one_of(run_choices().reactions, "choice of reactions"));
  command
      ->add_option("--compile", options->compile,
                   "compile the formulas: auto does if the code is in the cache or if it pays, always, never [auto]")
      ->type_name("NAME")
      ->check(one_of(run_choices().compile, "choice for compiling"));
  command->add_option("--out", options->out, "folder for the files [results/<model>]")->type_name("DIR");
  command->add_flag("--json", options->json, "the summary for programs, on stdout");
  command->add_flag("-q,--quiet", options->quiet, "print nothing but errors");
  std::string integrators;
  for (const IntegratorFacts& each : run_choices().integrators)
    if (each.available) integrators += fmt::format("  {:<14} {}\n", each.name, each.what);
  command->footer(
      "Options take the place of the model's [simulation]; numbers may be formulas over its parameters.\n\n"
      "Integrators:\n" +
      integrators +
      "\n"
      "Examples:\n"
      "  maggi run models/moving_pendulum.toml\n"
      "  maggi run models/andrews_squeezer.toml --integrator dop853 --rtol 1e-6\n"
      "  maggi run models/pendulum.toml --set l=2 m=0.5 --until 20 --out /tmp/long_pendulum\n\n"
      "Ctrl-C writes what exists. A run that does not reach its end has exit code 2.");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace maggi::app
