#pragma once
#include <string_view>

namespace maggi::io {

/// The page of viewer/dist; the data belong in the place of `viewer_marker`.
std::string_view viewer_page();

inline constexpr std::string_view viewer_marker = "/*REPORT*/";

}  // namespace maggi::io
