#include "system/make_system.hpp"

#include "model/validate.hpp"
#include "system/formulas/derive.hpp"
#include "system/formulas/equation_system.hpp"
#include "system/mechanism/reference/data_errors.hpp"
#include "system/mechanism/rounding/rounded_formulas.hpp"

namespace maggi {

namespace {

Model model_with(Model model, const std::vector<Constraint>& constraints) {
  model.constraints = constraints;
  return model;
}

}  // namespace

std::unique_ptr<System> make_equations(const Model& model, const Numbers& numbers,
                                       const UnconstrainedEquations& unconstrained) {
  auto system = std::make_unique<EquationSystem>(model, numbers, unconstrained);
  const mechanism::RoundedFormulas repaired = mechanism::repair_rounded_formulas(
      *system, model.constraints, mechanism::data_tolerance(model.mechanism, numbers), model.mechanism.repair, 0.0,
      [&](const std::vector<Constraint>& constraints) -> std::unique_ptr<System> {
        return std::make_unique<EquationSystem>(model_with(model, constraints), numbers, unconstrained);
      });
  if (repaired.found.empty()) return system;
  system = std::make_unique<EquationSystem>(model_with(model, repaired.constraints), numbers, unconstrained);
  system->note_rounded(repaired.found);
  return system;
}

std::unique_ptr<System> make_system(const Model& model) {
  validate(model);
  return make_system(model, Numbers(model));
}

std::unique_ptr<System> make_system(const Model& model, const Numbers& numbers) {
  if (model.mechanism.given()) return MechanismSystem::make(model, numbers);
  return make_equations(model, numbers, derive_unconstrained(model, numbers));
}

std::unique_ptr<System> with_numbers(const System& before, const Model& model, const Numbers& numbers) {
  if (const auto* mechanism = dynamic_cast<const MechanismSystem*>(&before))
    return mechanism->with_numbers(model, numbers);
  if (const auto* formulas = dynamic_cast<const EquationSystem*>(&before);
      formulas && EquationSystem::can_share(model, numbers))
    return std::make_unique<EquationSystem>(*formulas, model, numbers);
  return make_system(model, numbers);
}

const std::vector<MechanismSystem::RoundedLoop>& rounded_data(const System& system) {
  static const std::vector<MechanismSystem::RoundedLoop> none;
  if (const auto* mechanism = dynamic_cast<const MechanismSystem*>(&system)) return mechanism->rounded_loops();
  const auto* formulas = dynamic_cast<const EquationSystem*>(&system);
  return formulas ? formulas->rounded() : none;
}

}  // namespace maggi
