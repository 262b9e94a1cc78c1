// maggi ideality: are reactions that are given those of ideal constraints?
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "maggi/files.hpp"
#include "maggi/ideality.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "model_choice.hpp"
#include "output.hpp"

namespace maggi::app {

namespace {

struct IdealityChoice {
  ModelChoice model;
  std::string reactions;
  IdealityOptions options;
  bool json = false;
};

void ideality(const IdealityChoice& choice) {
  Simulation simulation(choice.model.read());
  const NamedColumns columns = load_columns(choice.reactions);
  (void)simulation.start();  // what is wrong with the model is no matter of the columns
  try {
    const Ideality found = find_ideality(simulation, columns, choice.options);
    print(choice.json ? to_json(found) : to_text(found));
  } catch (const Error& error) {  // what is wrong with the columns is wrong with their file
    if (!error.where().file.empty()) throw;
    throw Error(error.code(), {choice.reactions}, error.cause(), error.help());
  }
}

}  // namespace

void add_ideality(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<IdealityChoice>();
  CLI::App* command = app.add_subcommand("ideality", "Are given or measured reactions those of ideal constraints?");
  options->model.add_to(*command);
  command
      ->add_option("--reactions", options->reactions,
                   "CSV file with a line of headings: t, reaction.NAME for each coordinate; with all coordinates and "
                   "velocities too, these are the states, else those of the run")
      ->required()
      ->type_name("CSV");
  command
      ->add_option("--tolerance", options->options.tolerance,
                   "errors of the reactions, relative to the largest of them [1e-6]")
      ->type_name("X");
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer(
      "Example:\n"
      "  maggi run models/moving_pendulum.toml\n"
      "  maggi ideality models/moving_pendulum.toml --reactions results/moving_pendulum/trajectory.csv\n\n"
      "Reactions r of ideal constraints do no work on motions that the constraints allow: Dᵀr = 0 with C D = 0. Of\n"
      "others the motion is shown along which they work most.");
  command->callback([options] { ideality(*options); });
}

}  // namespace maggi::app
