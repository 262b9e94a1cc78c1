#pragma once
#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"

namespace maggi::integration {

// what sundials_integrators() has where the library is built with SUNDIALS
IntegrationResult run_cvode_bdf(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_cvode_adams(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_ida(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);

}  // namespace maggi::integration
