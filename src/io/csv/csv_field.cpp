#include "io/csv/csv_field.hpp"

namespace maggi::io {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string csv_field(const Channel& channel) {
  return csv_field(channel.unit.empty() ? channel.name : channel.name + " [" + channel.unit + "]");
}

}  // namespace maggi::io
