#pragma once
#include <span>
#include <string>

#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

using Integrator = IntegrationResult (*)(Dynamics& dynamics, const State& start, Sink& sink,
                                         const IntegrateOptions& options);

// one file each; the options have been checked. run_one_step: see make_step()
IntegrationResult run_one_step(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_rk4(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_projected_bdf(Dynamics& dynamics, const State& start, Sink& sink,
                                    const IntegrateOptions& options);

/// Null where the library is built without SUNDIALS.
struct SundialsIntegrators {
  Integrator cvode_bdf = nullptr, cvode_adams = nullptr, ida = nullptr;
};
SundialsIntegrators sundials_integrators();

struct NamedIntegrator {
  const char* name;
  Integrator run;  ///< null: this build does without it
};

/// All that a model may name.
std::span<const NamedIntegrator> integrators();

/// Error (model) at `where` if no integrator has that name, or if this build does without it.
Integrator find_integrator(const std::string& name, const Where& where);

}  // namespace maggi::integration
