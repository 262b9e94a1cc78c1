#pragma once
#include <span>

#include "base/choice_list.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

using RunFunction = IntegrationResult (*)(Dynamics& dynamics, const State& start, Sink& sink,
                                          const IntegrateOptions& options);

// for options that have been checked. run_one_step: of all methods of make_step()
IntegrationResult run_one_step(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_rk4(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
IntegrationResult run_projected_bdf(Dynamics& dynamics, const State& start, Sink& sink,
                                    const IntegrateOptions& options);

/// Null where the library is built without SUNDIALS.
struct SundialsIntegrators {
  RunFunction cvode_bdf = nullptr, cvode_adams = nullptr, ida = nullptr;
};
SundialsIntegrators sundials_integrators();

/// An integrator: what others must know of it, and how it runs. To add one, add its entry.
struct IntegratorEntry : IntegratorFacts {
  RunFunction run = nullptr;  ///< null: this build does without it
};

std::span<const IntegratorEntry> integrators();
const IntegratorEntry& entry_of(Choice<Integrator> integrator);

/// Error (model) at `where` if this build does without it.
void check_available(const IntegratorEntry& integrator, const Where& where);

}  // namespace maggi::integration

namespace maggi {
template <>
const ChoiceList<Integrator>& choice_list();
}  // namespace maggi
