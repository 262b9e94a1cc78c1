#pragma once
#include <string>
#include <string_view>

#include "maggi/model.hpp"

namespace maggi::results {

/// "m" → "m/s", "m/s" → "m/s^2"; an unknown unit stays unknown.
std::string per_second(std::string_view unit);

/// The unit of a force that does work along a quantity: "m" → "N", "rad" → "N m", "m^2" → "N/m"; else unknown.
std::string force_along(std::string_view unit);

/// The unit of the multiplier of a row whose formula has this unit: of f, φ = ḟ or ψ = f̈.
std::string multiplier_unit(std::string_view unit, Level level);

}  // namespace maggi::results
