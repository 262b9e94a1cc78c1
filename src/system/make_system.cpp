#include "system/make_system.hpp"

#include "system/formulas/equation_system.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {

std::unique_ptr<System> make_system(const Model& model) {
  if (model.mechanism.given()) return MechanismSystem::make(model);
  return std::make_unique<EquationSystem>(model);
}

}  // namespace maggi
