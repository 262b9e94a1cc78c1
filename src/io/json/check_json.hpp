#pragma once
#include <string>

#include "maggi/check.hpp"

namespace maggi {

/// What `maggi check` tells programs; keys in docs/command-line.md.
std::string check_json(const Check& check);

}  // namespace maggi
