#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/names.hpp"  // list_names, suggest_name
#include "maggi/expert/shape.hpp"
#include "maggi/mode.hpp"

namespace maggi::text {

/// How the rank of the constraints is meant: " with the contacts that stick" where there are any, otherwise nothing.
std::string with_contacts(const Shape& shape, const Mode& mode);

/// "a, b, c"
std::string listed(std::span<const std::string> names);

/// "1 constraint", "3 constraints"
std::string count(long number, std::string_view noun);

}  // namespace maggi::text
