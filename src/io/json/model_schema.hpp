#pragma once
#include <string>

namespace maggi {

/// The keys of the model file as a JSON Schema, draft 7.
std::string model_schema_json();

}  // namespace maggi
