#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "maggi/model.hpp"

namespace maggi {

/// The model in a file; docs/model-file.md is the format. Everything keeps its place and the order of the file.
/// Error (io) if the file cannot be read or is no text; Error (model) with line and column for anything unknown, twice
/// or of the wrong kind. Whatever uses the model applies the rules of validate(), which do not depend on where it comes
/// from, and reads the formulas.
Model read_model(const std::filesystem::path& path);

/// The same from text; `file_name` is what messages call it.
Model parse_model(std::string_view toml_text, std::string file_name);

/// The model as text of a model file: read again, it is the same model (but for the places). Error: see validate().
std::string write_model(const Model& model);

}  // namespace maggi
