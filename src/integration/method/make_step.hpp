#pragma once
#include <memory>
#include <string_view>

#include "integration/method/one_step.hpp"

namespace maggi::integration {

/// "dopri5", "dop853", "radau5"
std::unique_ptr<OneStep> make_step(std::string_view method, int size, Tolerance tolerance);

}  // namespace maggi::integration
