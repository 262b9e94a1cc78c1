#pragma once
#include <string>
#include <string_view>

#include "dynamics/dynamics.hpp"

namespace maggi::app {

/// To stdout. Error (io) if it cannot be written; a reader that went away is none.
void print(std::string_view text);

/// To stderr.
void complain(std::string_view text);

/// What a model is called: its title, or its file.
std::string title(const Shape& shape, const std::string& file);

/// How the rank of the constraints is meant: " with the contacts that stick" where there are any, otherwise nothing.
std::string with_contacts(const Shape& shape, const Mode& mode);

/// "1 constraint", "3 constraints"
std::string count(long number, std::string_view noun);

}  // namespace maggi::app
