#include "sweep/large_array.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "maggi/error.hpp"

namespace maggi::sweep {

LargeArray::LargeArray(std::size_t size, const std::filesystem::path& folder)
    : bytes_(std::max<std::size_t>(1, size) * sizeof(double)) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  const bool in_file = bytes_ > gibibyte;
  int descriptor = -1;
  const auto fail = [&] {
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    throw Error(
        Errc::io, {folder.string()},
        fmt::format("no room for {:.1f} GB of results: {}", static_cast<double>(bytes_) * 1e-9, std::strerror(error)),
        "fewer runs, or --out with a folder on a larger disk");
  };
  if (in_file) {
    descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(bytes_)) != 0) fail();
  }
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                              in_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, descriptor, 0);
  if (memory == MAP_FAILED) fail();
  if (in_file) ::close(descriptor);  // the mapping keeps it
  data_ = static_cast<double*>(memory);
}

LargeArray::~LargeArray() { ::munmap(data_, bytes_); }

}  // namespace maggi::sweep
