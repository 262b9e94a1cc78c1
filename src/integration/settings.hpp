#pragma once
#include <string>

#include "integration/integrate.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"

namespace maggi {

/// How a model is to be run: what Dynamics and integrate() need besides the system.
struct Settings {
  std::string formulation = "auto";
  std::string basis;  ///< "": the default of the formulation
  IntegrateOptions integrate;
};

/// The [simulation] of a model as numbers, with defaults where it says nothing; the stored states are 500 by default.
/// Error with its place if the end time is missing, a value is not a finite number, or a name is unknown.
Settings settings(const Model& model, const Numbers& numbers);

/// Error if a name in the [simulation] of a model is unknown, at its place or at the table.
void check_names(const Model& model);

}  // namespace maggi
