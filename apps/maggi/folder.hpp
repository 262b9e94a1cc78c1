#pragma once
#include <filesystem>

namespace maggi::app {

/// Makes it where it is missing, before the work, so that no long run ends without a place for its results. Error (io)
/// if nothing can be written there.
void make_folder(const std::filesystem::path& folder);

}  // namespace maggi::app
