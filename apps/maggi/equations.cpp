// maggi equations: M, h, C, γ, T, B, D, Ḋ of what is in force, as numbers and as formulas.
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
  std::optional<double> at;
  std::vector<std::string> state;  // "name=value"
  bool json = false, latex = false;
};

/// "name=value", the value a number or a formula over the parameters.
std::pair<std::string, Formula> read_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(Errc::model, {"--state " + text}, "not of the form name=value", "for example --state x=0.2");
  const std::string name = text.substr(0, equals);
  return {name, Formula(text.substr(equals + 1), {"--state " + name})};
}

void print_equations(const EquationsChoice& options) {
  EquationsOptions where{.basis = options.basis.value_or("lu"), .formulas = true, .at = options.at};
  for (const std::string& text : options.state) where.state.push_back(read_value(text));
  Simulation simulation(options.model.read());
  const EquationsOfMotion equations = simulation.equations(where);
  print(options.json ? to_json(equations) : options.latex ? to_latex(equations) : to_text(equations));
}

}  // namespace

void add_equations(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<EquationsChoice>();
  CLI::App* command =
      app.add_subcommand("equations", "The equations in force: M, h, C, γ, T, B, D, Ḋ as numbers and formulas");
  options->model.add_to(*command);
  add_name(*command, "--basis", options->basis, "basis", basis_names(), "lu");
  command->add_option("--at", options->at, "at this time of a run [s] [the start]")->type_name("T");
  command
      ->add_option("--state", options->state, "other values of that state: a coordinate, a velocity such as x', or t")
      ->type_name("NAME=VALUE,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--latex", options->latex, "the formulas as LaTeX, for a paper");
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer(
      "Examples:\n"
      "  maggi equations models/moving_pendulum.toml --latex\n"
      "  maggi equations models/moving_pendulum.toml --at 0.5\n"
      "  maggi equations models/moving_pendulum.toml --state x3=0.2,x1\\'=0\n\n"
      "Only the constraints and laws that are in force at that state are shown; the others are listed with the "
      "reason.\n"
      "With --state the other values change as little as the constraints allow.");
  command->callback([options] { print_equations(*options); });
}

}  // namespace maggi::app
