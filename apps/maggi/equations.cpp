// maggi equations: M, h, C, γ, D at the start as numbers, and M, h, C, γ, D, Ḋ as formulas.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"

namespace maggi::app {

namespace {

struct EquationsChoice {
  ModelChoice model;
  std::optional<std::string> basis;
  bool json = false, latex = false;
};

void print_equations(const EquationsChoice& options) {
  Simulation simulation(options.model.read());
  const EquationsOfMotion equations = simulation.equations({.basis = options.basis.value_or("lu"), .formulas = true});
  print(options.json ? to_json(equations) : options.latex ? to_latex(equations) : to_text(equations));
}

}  // namespace

void add_equations(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<EquationsChoice>();
  CLI::App* command = app.add_subcommand("equations", "M, h, C, γ, D as numbers at the start and as formulas");
  options->model.add_to(*command);
  add_name(*command, "--basis", options->basis, "basis", basis_names(), "lu");
  command->add_flag("--latex", options->latex, "the formulas as LaTeX, for a paper");
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer("Example:\n  maggi equations models/moving_pendulum.toml --latex");
  command->callback([options] { print_equations(*options); });
}

}  // namespace maggi::app
