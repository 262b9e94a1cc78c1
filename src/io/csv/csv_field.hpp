#pragma once
#include <string>

#include "maggi/expert/shape.hpp"

namespace maggi::io {

/// RFC 4180: quoted if it contains what separates, quotes doubled.
std::string csv_field(const std::string& text);

/// A channel with its unit: "x1' [m/s]".
std::string csv_field(const Channel& channel);

}  // namespace maggi::io
