#include "integration/sink/options.hpp"

namespace maggi {

std::string_view first_integrator(const IntegrateOptions& options) {
  constexpr double high_accuracy = 1e-5;  // from here on dop853 needs less work than dopri5
  if (options.integrator != "auto") return options.integrator;
  return options.rtol <= high_accuracy ? "dop853" : "dopri5";
}

}  // namespace maggi
