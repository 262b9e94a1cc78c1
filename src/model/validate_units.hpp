#pragma once
#include "maggi/model.hpp"

namespace maggi {

/// Quantities with a unit, "30 mm", are of the kind that their key wants, and labels of units are units: those of
/// values that the model computes in are of the SI.
void validate_units(const Model& model);

}  // namespace maggi
