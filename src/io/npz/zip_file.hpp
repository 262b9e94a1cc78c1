#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/file/atomic_file.hpp"

namespace maggi::io {

/// A zip archive of stored (not compressed) entries, without the 64-bit extension.
///
///     [local header, name, bytes] for every entry, then [central header, name] for every entry, then the end record
class ZipFile {
 public:
  static constexpr std::uint64_t max_bytes = 0xFFFFFFFFu;

  explicit ZipFile(const std::filesystem::path& path) : file_(path) {}

  /// `produce` hands the content piece by piece to the function it is given. It is called twice and must do the same
  /// both times: the checksum stands before the content.
  using Write = std::function<void(std::string_view)>;
  void add(const std::string& name, const std::function<void(const Write&)>& produce);
  void commit();

 private:
  struct Entry {
    std::string name;
    std::uint32_t checksum, size, offset;
  };
  void put(std::string_view bytes);

  AtomicFile file_;
  std::vector<Entry> entries_;
  std::uint64_t offset_ = 0;
};

}  // namespace maggi::io
