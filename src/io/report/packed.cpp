#include "io/report/packed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace maggi::io {

namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8u | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[three >> (18u - 6u * static_cast<unsigned>(k)) & 63u];
  }
  return text;
}

}  // namespace

nlohmann::ordered_json packed(std::span<const double> values) {
  static_assert(std::endian::native == std::endian::little, "the numbers are written as they lie in memory");
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto first = std::ranges::find_if(values, finite);
  const double base = first == values.end() ? 0.0 : *first;
  double scale = 0.0;
  for (const double value : values)
    if (finite(value)) scale = std::max(scale, std::abs(value - base));
  std::string bytes;
  if (scale > 0.0 || !std::ranges::all_of(values, finite))
    for (const double value : values) {
      const auto x =
          static_cast<float>(scale == 0.0 && finite(value) ? 0.0 : (value - base) / (scale > 0.0 ? scale : 1.0));
      bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
    }
  return {{"base", base}, {"scale", scale}, {"values", base64(bytes)}};
}

}  // namespace maggi::io
