#pragma once
#include <functional>
#include <map>
#include <string>

#include "maggi/error.hpp"

namespace maggi {

/// Where the tables and lists of a model file begin: "energy", "equations.mass", "equations.mass[2]",
/// "simulation.drift". Empty for a model that was built in C++.
using Places = std::map<std::string, Where, std::less<>>;

}  // namespace maggi
