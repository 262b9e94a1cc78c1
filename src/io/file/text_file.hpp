#pragma once
#include <filesystem>
#include <string>

namespace maggi::io {

inline constexpr std::size_t max_text_bytes = 10'000'000;

/// The content of a text file. Error (io) if it cannot be read, is a directory, is no text or is larger than any model.
std::string read_text_file(const std::filesystem::path& path);

}  // namespace maggi::io
