#include "support/source_tree.hpp"

namespace maggi::test {

std::string source_path(const std::string& path) { return MAGGI_SOURCE_DIR "/" + path; }

}  // namespace maggi::test
