#include "output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "maggi/error.hpp"

namespace maggi::app {

void print(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return;
  throw Error(Errc::io, {"standard output"}, fmt::format("cannot be written: {}", std::strerror(errno)));
}

void complain(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace maggi::app
