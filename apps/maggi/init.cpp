// maggi init: the consistent start.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "simulation_choice.hpp"

namespace maggi::app {

namespace {

struct InitOptions {
  ModelChoice model;
  SimulationChoice simulation;
  std::optional<std::string> basis;
  bool json = false, branches = false;
  int starts = 256;
};

void init(const InitOptions& options) {
  Model model = options.model.read();
  options.simulation.apply(model);
  if (options.basis) model.simulation.basis = options.basis;
  Simulation simulation(std::move(model));
  const int random_starts = options.branches ? options.starts : 0;
  print(options.json ? start_json(simulation, random_starts) : start_text(simulation, random_starts));
  complain(notes_text(simulation.notes()));
}

}  // namespace

void add_init(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<InitOptions>();
  CLI::App* command = app.add_subcommand("init", "Consistent start: positions, velocities, accelerations, multipliers");
  options->model.add_to(*command);
  options->simulation.add_also_to(*command);
  add_name(*command, "--basis", options->basis, "basis", basis_names(), "the model's");
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->add_flag("--branches", options->branches, "list the distinct assemblies that random starts lead to");
  command->add_option("--starts", options->starts, "how many random starts")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  maggi init models/four_bar_cut_ground.toml\n"
      "  maggi init models/four_bar_cut_ground.toml --branches\n"
      "  maggi init models/moving_pendulum_driven.toml --also tangent,reactions\n\n"
      "Values given in the model are kept; the others are found from the constraints. If that is impossible, the\n"
      "message names the constraints and the given values that contradict each other (exit code 2).");
  command->callback([options] { init(*options); });
}

}  // namespace maggi::app
