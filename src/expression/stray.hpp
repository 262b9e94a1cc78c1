#pragma once
#include <string>
#include <string_view>

namespace maggi::expression {

struct Advice {
  std::string cause, help;
};

/// What to tell about the character at the start of `text`, which has no place in a formula: which one it is, and what
/// to write instead. Word processors and the web bring in −, ×, ², ’ that look right and are not.
Advice advise_on_stray(std::string_view text);

/// Number of characters (not bytes) of UTF-8 text.
int count_characters(std::string_view text);

}  // namespace maggi::expression
