// maggi init: the consistent start.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "maggi/integration/initial_conditions.hpp"
#include "maggi/io/json.hpp"
#include "maggi/results/multipliers.hpp"
#include "maggi/system/equation_system.hpp"
#include "model_choice.hpp"
#include "output.hpp"
#include "table.hpp"

namespace maggi::app {

namespace {

using How = InitialConditions::How;

struct InitOptions {
  ModelChoice model;
  bool json = false;
};

const char* how_text(How how) {
  switch (how) {
    case How::given: return "given";
    case How::kept: return "kept";
    case How::found: return "found";
  }
  return "";
}

bool is_unique(const Matrix& undetermined, int row) {
  return undetermined.cols() == 0 || undetermined.row(row).isZero(0.0);
}

std::string to_text(const Shape& shape, const InitialConditions& start, const Matrix& undetermined,
                    const std::string& file) {
  Table values("lrlrlrl");
  values.row({"coordinate", "q", "", "v = q̇", "", "v̇", "unit"});
  for (int i = 0; i < shape.n(); ++i)
    values.row({shape.coordinates[i].name, number(start.state.q[i]), how_text(start.q[i]), number(start.state.v[i]),
                how_text(start.v[i]), number(start.acceleration.vdot[i]), shape.coordinates[i].unit});
  std::string text =
      fmt::format("{}: consistent start at t = {}\n\n{}", title(shape, file), number(start.state.t), values.text());
  if (shape.m() > 0) {
    Table multipliers("lr");
    multipliers.row({"constraint", "λ"});
    for (int i = 0; i < shape.m(); ++i)
      multipliers.row(
          {shape.rows[i].name, is_unique(undetermined, i) ? number(start.acceleration.lambda[i]) : "not unique"});
    text += "\n" + multipliers.text();
  }
  if (shape.m() == 0) return text;
  Table facts("ll");
  facts.row({"given, kept, found", "by the model; left at its guess; from the constraints"});
  facts.row({"method", start.method});
  facts.row(
      {"free to choose", fmt::format("positions {}, velocities {}", start.free_positions, start.free_velocities)});
  facts.row({"residuals", fmt::format("position {:.1e}, velocity {:.1e}, acceleration {:.1e}", start.residuals.position,
                                      start.residuals.velocity, start.residual_acceleration)});
  facts.row({"conditions", fmt::format("position {:.3g}, velocity {:.3g}: how much the found values amplify errors of "
                                       "the given ones",
                                       start.condition_position, start.condition_velocity)});
  return text + "\n" + facts.text();
}

void init(const InitOptions& options) {
  const EquationSystem system(options.model.read());
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  const Matrix undetermined = undetermined_multipliers(dynamics, start.state);
  if (options.json)
    print(initial_conditions_json(system.shape(), start, undetermined));
  else
    print(to_text(system.shape(), start, undetermined, options.model.file));
}

}  // namespace

void add_init(CLI::App& app, int& /*exit_code*/) {
  const auto options = std::make_shared<InitOptions>();
  CLI::App* command = app.add_subcommand("init", "Consistent start: positions, velocities, accelerations, multipliers");
  options->model.add_to(*command);
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer(
      "Example:\n"
      "  maggi init models/four_bar_cut_ground.toml\n\n"
      "Values given in the model are kept; the others are found from the constraints. If that is impossible, the\n"
      "message names the constraints and the given values that contradict each other (exit code 2).");
  command->callback([options] { init(*options); });
}

}  // namespace maggi::app
