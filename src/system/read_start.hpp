#pragma once
#include "maggi/model/numbers.hpp"
#include "maggi/system/system.hpp"

namespace maggi {

/// What a model from formulas says about the start, as numbers.
Start read_start(const Model& model, const Numbers& numbers, const Shape& shape);

}  // namespace maggi
