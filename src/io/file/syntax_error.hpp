#pragma once
#include <string_view>

#include "io/file/source_text.hpp"

namespace maggi::io {

/// What the TOML parser found, in the words of someone who writes a model and does not know TOML by heart.
Error syntax_error(const SourceText& source, std::string_view description, int line, int column);

}  // namespace maggi::io
