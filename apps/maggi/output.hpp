#pragma once
#include <string_view>

namespace maggi::app {

/// To stdout. Error (io) if it cannot be written; a reader that went away is none.
void print(std::string_view text);

/// To stderr.
void complain(std::string_view text);

}  // namespace maggi::app
