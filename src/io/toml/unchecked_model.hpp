#pragma once
#include <string>
#include <string_view>

#include "maggi/model.hpp"
#include "model/places.hpp"

namespace maggi::io {

/// What the text of a model file says, by its keys and types alone, and where its tables begin: the rules of validate()
/// are not applied.
Model unchecked_model(std::string_view toml_text, std::string file_name, Places& places);

}  // namespace maggi::io
