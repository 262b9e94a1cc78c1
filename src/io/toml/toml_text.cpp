#include "io/toml/toml_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace maggi::io {

namespace {

bool needs_escape(char c) { return c == '"' || c == '\\' || c == '\x7F' || static_cast<unsigned char>(c) < 0x20; }

/// A text in quotes, on one line.
std::string line_in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (needs_escape(c))
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + "\"";
}

/// true if the text, read as a number, is written again in the same way: then it needs no quotes.
bool is_plain_number(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (text == "-0") return false;  // TOML would read the integer 0
  return fault == std::errc() && stop == end && std::isfinite(value) && Formula(value).text == text;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  const bool plain = std::ranges::none_of(text, [](char c) { return needs_escape(c) && c != '\n'; });
  if (!plain || text.find('\n') == std::string_view::npos) return line_in_quotes(text);
  return fmt::format("\"\"\"\n{}\"\"\"", text);
}

std::string value_of(const Formula& formula) {
  return is_plain_number(formula.text) ? formula.text : in_quotes(formula.text);
}

std::string key_of(const std::string& name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? name : line_in_quotes(name);
}

std::string list(const std::vector<Formula>& formulas) {
  std::vector<std::string> values;
  for (const Formula& formula : formulas) values.push_back(value_of(formula));
  return fmt::format("[{}]", fmt::join(values, ", "));
}

}  // namespace maggi::io
