#pragma once
#include <string>

namespace maggi {

/// Without the blanks around it.
inline std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

}  // namespace maggi
