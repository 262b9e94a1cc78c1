#include "system/make_system.hpp"

#include "model/validate.hpp"
#include "system/formulas/equation_system.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {

std::unique_ptr<System> make_system(const Model& model) {
  validate(model);
  return make_system(model, Numbers(model));
}

std::unique_ptr<System> make_system(const Model& model, const Numbers& numbers) {
  if (model.mechanism.given()) return MechanismSystem::make(model, numbers);
  return std::make_unique<EquationSystem>(model, numbers);
}

std::unique_ptr<System> with_numbers(const System& before, const Model& model, const Numbers& numbers) {
  if (const auto* mechanism = dynamic_cast<const MechanismSystem*>(&before))
    return mechanism->with_numbers(model, numbers);
  if (const auto* formulas = dynamic_cast<const EquationSystem*>(&before);
      formulas && EquationSystem::can_share(model, numbers))
    return std::make_unique<EquationSystem>(*formulas, model, numbers);
  return make_system(model, numbers);
}

}  // namespace maggi
