#pragma once
#include <filesystem>
#include <string_view>

namespace maggi {

/// Writes a file as a whole or not at all: into a temporary beside it, flushed to disk, then renamed over it.
/// Missing folders are made. Error (io) with path and reason if that fails; what was there before stays.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace maggi
