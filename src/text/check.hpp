#pragma once
#include <string>

#include "maggi/expert/shape.hpp"

namespace maggi::text {

/// "conserved", or why it is not.
std::string energy_text(const Shape& shape);

/// How the reaction of a constraint comes about: "ideal", "with law", "sticking", "servo".
std::string_view class_name(const Row& row);

}  // namespace maggi::text
