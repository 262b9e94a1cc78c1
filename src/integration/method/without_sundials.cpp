#include "integration/method/integrators.hpp"

namespace maggi::integration {

SundialsIntegrators sundials_integrators() { return {}; }

}  // namespace maggi::integration
