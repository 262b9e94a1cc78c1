#pragma once
#include "integration/form/form.hpp"
#include "integration/sink/options.hpp"

namespace maggi::integration {

/// By IntegrateOptions::unknowns and drift. Error (model) with the reason if the system does not allow them.
std::unique_ptr<Form> make_form(Dynamics& dynamics, const State& start, const IntegrateOptions& options);

}  // namespace maggi::integration
