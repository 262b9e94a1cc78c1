#pragma once
#include "maggi/model.hpp"

namespace maggi {

/// What each part of a model that is written in formulas needs, and what excludes what in it.
void validate_formulas(const Model& model);

/// Error if a formula is there but blank. `label` is what messages call it: "x1.start".
void check_not_blank(const Formula& formula, const std::string& label);

}  // namespace maggi
