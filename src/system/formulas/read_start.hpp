#pragma once
#include "maggi/expert/system.hpp"
#include "model/numbers.hpp"

namespace maggi {

/// What a model from formulas says about the start, as numbers.
Start read_start(const Model& model, const Numbers& numbers, const Shape& shape);

}  // namespace maggi
