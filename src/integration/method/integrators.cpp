#include "integration/method/integrators.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/names.hpp"

namespace maggi::integration {

std::span<const NamedIntegrator> integrators() {
  static const SundialsIntegrators sundials = sundials_integrators();
  static const std::array all{
      NamedIntegrator{"auto", run_one_step},
      NamedIntegrator{"dopri5", run_one_step},
      NamedIntegrator{"dop853", run_one_step},
      NamedIntegrator{"radau5", run_one_step},
      NamedIntegrator{"rk4", run_rk4},
      NamedIntegrator{"cvode-bdf", sundials.cvode_bdf},
      NamedIntegrator{"cvode-adams", sundials.cvode_adams},
      NamedIntegrator{"ida", sundials.ida},
      NamedIntegrator{"projected-bdf", run_projected_bdf},
  };
  return all;
}

Integrator find_integrator(const std::string& name, const Where& where) {
  std::vector<std::string> names;
  for (const NamedIntegrator& integrator : integrators()) {
    names.emplace_back(integrator.name);
    if (name != integrator.name) continue;
    if (integrator.run) return integrator.run;
    throw Error(Errc::model, where,
                fmt::format("integrator = {} is one of SUNDIALS, and this build has no SUNDIALS", name),
                "take dopri5, or radau5 for stiff equations; or install SUNDIALS (Debian: libsundials-dev) and build "
                "maggi again with -DMAGGI_SUNDIALS=ON");
  }
  throw Error(Errc::model, where, fmt::format("no integrator is named \"{}\"", name), suggest_name(name, names));
}

}  // namespace maggi::integration
