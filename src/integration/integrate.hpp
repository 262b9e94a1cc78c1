#pragma once
#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"

namespace maggi {

/// Integrates from a consistent start. Stored states are interpolated, then projected; v̇ and λ are evaluated there.
/// Events of the system change the mode of the dynamics; at the end it is again what it was.
/// Error (model) if an option does not fit: "projection" with Adams, a fixed step without `step`.
IntegrationResult integrate(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);

}  // namespace maggi
