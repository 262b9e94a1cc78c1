#pragma once
#include <string>
#include <vector>

#include "io/toml/toml_value.hpp"
#include "maggi/mechanism.hpp"

namespace maggi::io {

/// What a model file says about bodies and joints: dimension, gravity, [body], [joint], [force].
std::vector<Field> mechanism_fields(Mechanism& mechanism);

/// The same as text: what stands before the first table, and the tables.
std::string mechanism_head(const Mechanism& mechanism);
std::string mechanism_tables(const Mechanism& mechanism);

}  // namespace maggi::io
