#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maggi/model.hpp"

namespace CLI {
class App;
}

namespace maggi::app {

/// What a command takes that integrates: options in the place of the model's [simulation].
struct SimulationChoice {
  std::optional<std::string> until, rtol, atol, step, output;          ///< formulas over the parameters
  std::vector<std::string> stabilisation;                              ///< α, β, the same
  std::optional<std::string> integrator, drift, unknowns, continuity;  ///< names
  std::vector<std::string> also;                                       ///< names of further channels

  void add_to(CLI::App& command);
  void add_also_to(CLI::App& command);           ///< for a command that shows channels
  void add_without_drift_to(CLI::App& command);  ///< for a command that takes several kinds of drift control
  void apply(Model& model) const;
};

}  // namespace maggi::app
