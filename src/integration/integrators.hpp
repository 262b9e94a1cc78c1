#pragma once
#include "maggi/integration/integrate.hpp"

namespace maggi::integration {

// one file each; the options have been checked. run_one_step: see make_step()
Run run_one_step(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
Run run_rk4(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
Run run_cvode_bdf(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
Run run_cvode_adams(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
Run run_projected_bdf(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
Run run_ida(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);

}  // namespace maggi::integration
