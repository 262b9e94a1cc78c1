#pragma once
#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"

namespace maggi::integration {

// one file each; the options have been checked. run_one_step: see make_step()
IntegrationResult run_one_step(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_rk4(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_cvode_bdf(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_cvode_adams(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_projected_bdf(Dynamics& dynamics, const State& start, Sink& sink,
                                    const IntegrateOptions& options);
IntegrationResult run_ida(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);

}  // namespace maggi::integration
