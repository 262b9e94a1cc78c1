#pragma once
#include <string>
#include <string_view>

namespace maggi::expression {

// ASCII only and independent of the locale
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// For messages: in quotes, as much as can be read.
std::string quote(std::string_view text);

}  // namespace maggi::expression
