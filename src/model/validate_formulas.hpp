#pragma once
#include "maggi/model.hpp"

namespace maggi {

/// What each part of a model that is written in formulas needs, and what excludes what in it.
void validate_formulas(const Model& model);

}  // namespace maggi
