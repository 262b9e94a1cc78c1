#include "output.hpp"

#include <fmt/format.h>
#include <algorithm>

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

std::string title(const Shape& shape, const std::string& file) { return shape.title.empty() ? file : shape.title; }

std::string with_contacts(const Shape& shape, const Mode& mode) {
  const bool any = std::ranges::any_of(shape.contacts, [&](const Contact& c) { return mode.rows[c.rows[0]]; });
  return any ? " with the contacts that stick" : "";
}

std::string count(long number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace maggi::app
