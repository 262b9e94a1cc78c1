#pragma once
#include <nlohmann/json.hpp>
#include <span>

namespace maggi::io {

/// Numbers for the page: {base, scale, values}.
///
///     value = base + scale · x,  x from `values`: little-endian numbers of 32 bits in base 64
///
/// so that a small change of a large number keeps its digits. Empty `values`: all are `base`. NaN stays NaN.
nlohmann::ordered_json packed(std::span<const double> values);

}  // namespace maggi::io
