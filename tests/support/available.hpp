#pragma once
#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "integration/method/integrators.hpp"

namespace maggi::test {

/// Does this build have the integrator? CVODE and IDA need SUNDIALS.
inline bool is_available(maggi::Choice<Integrator> integrator) { return integration::entry_of(integrator).available; }

/// All that this build has, by name.
inline std::vector<std::string> available_integrators() {
  std::vector<std::string> names;
  for (const IntegratorFacts& each : integration::integrators())
    if (each.available) names.emplace_back(each.name);
  return names;
}

/// Those of the integrators that this build has.
inline std::vector<std::string> available(std::initializer_list<const char*> integrators) {
  std::vector<std::string> names(integrators.begin(), integrators.end());
  std::erase_if(names, [](const std::string& name) { return !is_available(name); });
  return names;
}

}  // namespace maggi::test
