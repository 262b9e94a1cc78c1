#pragma once
#include <cstddef>
#include <filesystem>

namespace maggi::sweep {

/// Numbers that need not fit into memory: those of more than a gibibyte lie in a file without a name, which the system
/// brings in and writes out as it sees fit. 0 to begin with.
class LargeArray {
 public:
  /// `folder`: where there is room for them. Error (io) if there is none.
  LargeArray(std::size_t size, const std::filesystem::path& folder);
  ~LargeArray();
  LargeArray(const LargeArray&) = delete;
  LargeArray& operator=(const LargeArray&) = delete;

  double* data() const { return data_; }

 private:
  double* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace maggi::sweep
