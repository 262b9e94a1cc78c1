#include "integration/method/integrators.hpp"
#include "integration/method/sundials_integrators.hpp"

namespace maggi::integration {

SundialsIntegrators sundials_integrators() {
  return {.cvode_bdf = run_cvode_bdf, .cvode_adams = run_cvode_adams, .ida = run_ida};
}

}  // namespace maggi::integration
