#include "simulation_choice.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "maggi/run_choices.hpp"
#include "name_option.hpp"
#include "text/words.hpp"

namespace maggi::app {

void SimulationChoice::add_to(CLI::App& command) {
  add_without_drift_to(command);
  const RunChoices& choices = run_choices();
  add_name(command, "--drift", drift, "drift control", choices.drifts, std::string(choices.defaults.drift->name()));
  add_name(command, "--unknowns", unknowns, "choice of unknowns", choices.unknowns,
           std::string(choices.defaults.unknowns->name()));
  add_name(command, "--continuity", continuity, "continuity", choices.continuities, "frozen or procrustes");
}

void SimulationChoice::add_also_to(CLI::App& command) {
  command
      .add_option("--also", also,
                  "further results, one or several (a,b): the tangent velocities with what belongs to them, what each "
                  "constraint contributes to the reactions [none]")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(run_choices().also, "group of further channels"));
}

void SimulationChoice::add_without_drift_to(CLI::App& command) {
  const RunChoices& choices = run_choices();
  const RunOptions& defaults = choices.defaults;
  command.add_option("--until", until, "end time [s] [the model's]")->type_name("T");
  command.add_option("--output", output, "time between stored states [s]; 0: every step [a 500th of the run]")
      ->type_name("DT");
  std::vector<std::string> integrators, available, with_step;
  for (const IntegratorFacts& each : choices.integrators) {
    integrators.emplace_back(each.name);
    if (each.available) available.emplace_back(each.name);
    if (each.has_given_step()) with_step.emplace_back(each.name);
  }
  command  // one that this build does without is refused later, with the cause
      .add_option("--integrator", integrator,
                  fmt::format("integrator: {} [{}]", text::listed(available), defaults.integrator->name()))
      ->type_name("NAME")
      ->check(one_of(integrators, "integrator", available));
  command.add_option("--rtol", rtol, fmt::format("relative error per step [{:g}]", *defaults.rtol))->type_name("R");
  command.add_option("--atol", atol, fmt::format("absolute error per step [{:g}]", *defaults.atol))->type_name("A");
  command
      .add_option("--stabilisation", stabilisation,
                  fmt::format("α,β [1/s] of drift baumgarte and pi [{:g},{:g}]", choices.alpha, choices.beta))
      ->delimiter(',')
      ->type_name("A,B");
  command
      .add_option("--step", step,
                  fmt::format("the step of {}, the first step of others [s]", list_names(with_step, false)))
      ->type_name("H");
}

void SimulationChoice::apply(Model& model) const {
  SimulationSettings& s = model.simulation;
  const auto number = [](std::optional<Formula>& target, const std::optional<std::string>& text, const char* name) {
    if (text) target = Formula(*text, Where{name});
  };
  number(s.until, until, "--until");
  number(s.rtol, rtol, "--rtol");
  number(s.atol, atol, "--atol");
  number(s.step, step, "--step");
  number(s.output, output, "--output");
  if (integrator) s.integrator = integrator;
  if (drift) s.drift = drift;
  if (unknowns) s.unknowns = unknowns;
  if (continuity) s.continuity = continuity;
  if (!also.empty()) s.also.clear();
  for (const std::string& channels : also) s.also.push_back({channels, Where{"--also"}});
  if (stabilisation.empty()) return;
  s.stabilisation.clear();
  for (const std::string& rate : stabilisation) s.stabilisation.emplace_back(rate, Where{"--stabilisation"});
}

}  // namespace maggi::app
