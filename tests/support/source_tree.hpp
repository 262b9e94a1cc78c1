#pragma once
#include <string>

namespace maggi::test {

/// A path of the source tree, e.g. "models/four_bar.toml", wherever the test runs.
std::string source_path(const std::string& path);

}  // namespace maggi::test
