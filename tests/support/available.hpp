#pragma once
#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "integration/integrate.hpp"

namespace maggi::test {

/// Does this build have the integrator? CVODE and IDA need SUNDIALS.
inline bool is_available(const std::string& integrator) {
  return std::ranges::find(available_integrators(), integrator) != available_integrators().end();
}

/// Those of the integrators that this build has.
inline std::vector<std::string> available(std::initializer_list<const char*> integrators) {
  std::vector<std::string> names(integrators.begin(), integrators.end());
  std::erase_if(names, [](const std::string& name) { return !is_available(name); });
  return names;
}

}  // namespace maggi::test
