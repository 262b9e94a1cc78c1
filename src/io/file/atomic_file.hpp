#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace maggi::io {

/// A file that appears under its name when it is complete, and not before.
///
/// Written to a temporary beside the target; commit() flushes it to disk and renames it. Without commit() the temporary
/// goes and what was there stays. What is not an ordinary file (a pipe, a device) is written to directly.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);  ///< makes missing folders
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void flush();
  [[noreturn]] void fail(std::string_view action, int error) const;

  std::filesystem::path path_, temporary_;  // temporary_ is empty if written directly
  int descriptor_ = -1;
  std::string buffer_;
};

}  // namespace maggi::io
