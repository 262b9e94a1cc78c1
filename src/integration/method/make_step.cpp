#include "integration/method/make_step.hpp"

#include <cassert>

#include "integration/method/dop853.hpp"
#include "integration/method/dopri5.hpp"
#include "integration/method/explicit_step.hpp"
#include "integration/method/radau5.hpp"

namespace maggi::integration {

std::unique_ptr<OneStep> make_step(Integrator method, int size, Tolerance tolerance) {
  if (method == Integrator::dop853) return std::make_unique<ExplicitStep<Dop853>>(size, tolerance);
  if (method == Integrator::radau5) return std::make_unique<Radau5>(size, tolerance);
  assert(method == Integrator::dopri5);
  return std::make_unique<ExplicitStep<Dopri5>>(size, tolerance);
}

}  // namespace maggi::integration
