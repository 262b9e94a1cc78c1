// maggi check: what a model is, before it runs.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "maggi/error.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "model_choice.hpp"
#include "output.hpp"

namespace maggi::app {

namespace {

struct CheckOptions {
  ModelChoice model;
  bool json = false;
};

void check(const CheckOptions& options) {
  Simulation simulation(options.model.read());
  try {
    const Check& found = simulation.check();
    print(options.json ? to_json(found) : to_text(found));
    if (!options.json) complain(notes_text(simulation.notes()));
  } catch (const Error& error) {
    if ((error.code() == Errc::numerics || error.code() == Errc::model) && !options.json)
      print(outline_text(simulation.model()));
    complain(notes_text(simulation.notes()));
    throw;  // with the reason
  }
}

}  // namespace

void add_check(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Degrees of freedom, rank, redundant constraints, unique reactions");
  options->model.add_to(*command);
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer(
      "Example:\n"
      "  maggi check models/four_bar_cut_ground.toml\n\n"
      "A redundant constraint is shown as a combination of the others, with the verdict whether that is so everywhere\n"
      "or in the start configuration only, and whether it agrees with them or contradicts them.");
  command->callback([options] { check(*options); });
}

}  // namespace maggi::app
