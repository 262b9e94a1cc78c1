#include "io/file/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/file/file.hpp"
#include "maggi/error.hpp"

namespace maggi::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;

/// The file itself where the path is a link, so that the link stays one.
fs::path follow_links(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  return error ? path : target;
}

fs::path name_for_temporary(const fs::path& path) {
  static std::atomic<unsigned> count = 0;
  return path.parent_path() / fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), count++);
}

/// After a rename the folder itself has to reach the disk; not all file systems can, and none of them loses the file.
void flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) : path_(follow_links(path)) {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (!path_.has_filename() || status.type() == fs::file_type::directory) fail("written", EISDIR);
  if (path_.has_parent_path() && !fs::exists(path_.parent_path(), error)) {
    fs::create_directories(path_.parent_path(), error);
    if (error) fail("written", error.value());
  }
  const bool ordinary = status.type() == fs::file_type::regular || !fs::exists(status);
  if (ordinary) temporary_ = name_for_temporary(path_);
  constexpr mode_t readable_by_all = 0666;  // less what the user masks
  descriptor_ = ordinary ? ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_by_all)
                         : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("written", errno);
  }
  struct stat old {};
  if (ordinary && ::stat(path_.c_str(), &old) == 0) ::fchmod(descriptor_, old.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= buffer_bytes) flush();
}

void AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("written", errno);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail("written", errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("written", errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replaced", errno);
  temporary_.clear();
  flush_folder(path_.parent_path());
}

void AtomicFile::fail(std::string_view action, int error) const {
  throw Error(Errc::io, {path_.string(), 0, 0}, fmt::format("cannot be {}: {}", action, std::strerror(error)));
}

}  // namespace maggi::io

namespace maggi {

void write_file(const std::filesystem::path& path, std::string_view content) {
  io::AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace maggi
