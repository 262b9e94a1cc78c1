#pragma once
#include <string>
#include <vector>

#include "maggi/run_options.hpp"

namespace maggi {

/// The names that RunOptions, CompareOptions and the [simulation] of a model may take, and what holds without them.
struct RunChoices {
  std::vector<IntegratorFacts> integrators;  ///< all, with what each of them is
  std::vector<std::string> drifts, unknowns, continuities, reactions, compile, also;
  std::vector<std::string> formulations;  ///< without "auto", which chooses among them
  std::vector<std::string> bases;
  RunOptions defaults;             ///< integrator, drift, unknowns, rtol, atol
  double alpha = 0.0, beta = 0.0;  ///< [1/s] defaults of the drift controls baumgarte and pi
};

const RunChoices& run_choices();

}  // namespace maggi
