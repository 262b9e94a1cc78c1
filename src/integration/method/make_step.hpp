#pragma once
#include <memory>

#include "integration/method/one_step.hpp"
#include "maggi/integrator.hpp"

namespace maggi::integration {

/// dopri5, dop853 or radau5.
std::unique_ptr<OneStep> make_step(Integrator method, int size, Tolerance tolerance);

}  // namespace maggi::integration
