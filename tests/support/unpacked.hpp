#pragma once
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace maggi::support {

/// The numbers of 32 bits in base 64 that a page has.
inline std::vector<float> decoded(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6u | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255u);
  }
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

/// As the page reads them: base + scale · x.
inline std::vector<double> unpacked(const nlohmann::ordered_json& json, std::size_t count) {
  const auto base = json["base"].get<double>(), scale = json["scale"].get<double>();
  const std::vector<float> x = decoded(json["values"]);
  std::vector<double> values(count, base);
  for (std::size_t i = 0; i < x.size(); ++i) values.at(i) = base + scale * static_cast<double>(x[i]);
  return values;
}

}  // namespace maggi::support
