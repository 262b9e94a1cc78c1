#include "maggi/run_choices.hpp"

#include "basis/continuity.hpp"
#include "integration/method/integrators.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "results/multiplier_channels.hpp"
#include "system/formula_evaluator.hpp"

namespace maggi {

namespace {

std::vector<std::string> listed(std::span<const std::string> names) { return {names.begin(), names.end()}; }

RunChoices find_choices() {
  const IntegrateOptions usual;
  RunChoices result{.integrators = {},
                    .drifts = choice_list<Drift>().names(),
                    .unknowns = choice_list<Unknowns>().names(),
                    .continuities = choice_list<Continuity>().names(),
                    .reactions = choice_list<Reactions>().names(),
                    .compile = choice_list<Compile>().names(),
                    .also = choice_list<Further>().names(),
                    .formulations = listed(formulation_choices()),
                    .bases = listed(basis_names()),
                    .defaults = {},
                    .alpha = usual.alpha,
                    .beta = usual.beta};
  for (const IntegratorFacts& integrator : integration::integrators()) result.integrators.push_back(integrator);
  result.defaults.integrator = usual.integrator;
  result.defaults.drift = usual.drift;
  result.defaults.unknowns = usual.unknowns;
  result.defaults.rtol = usual.rtol;
  result.defaults.atol = usual.atol;
  return result;
}

}  // namespace

const RunChoices& run_choices() {
  static const RunChoices choices = find_choices();
  return choices;
}

}  // namespace maggi
