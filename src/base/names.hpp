#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maggi {

/// The name closest to a misspelt one by edit distance; empty if none is close enough to be meant.
std::string nearest_name(std::string_view misspelt, std::span<const std::string> names);

/// "did you mean \"coupler\"?", or "valid names: a, b, c" where nothing is close and the list is short, or "".
std::string suggest_name(std::string_view misspelt, std::span<const std::string> names);

/// "a, b and c"; `quote` puts each in double quotes.
std::string list_names(std::span<const std::string> names, bool quote = true);

}  // namespace maggi
