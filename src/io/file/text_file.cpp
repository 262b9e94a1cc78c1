#include "io/file/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "base/names.hpp"
#include "maggi/error.hpp"

namespace maggi::io {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string what, std::string help = "") {
  throw Error(Errc::io, {path.string(), 0, 0}, std::move(what), std::move(help));
}

/// "did you mean "pendulum.toml"?", from the files beside the one that is missing.
std::string suggest_file(const std::filesystem::path& missing) {
  std::error_code ignored;
  const std::filesystem::path folder = missing.has_parent_path() ? missing.parent_path() : std::filesystem::path(".");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (names.size() > 1000) break;
    if (entry.is_regular_file(ignored)) names.push_back(entry.path().filename().string());
  }
  const std::string nearest = nearest_name(missing.filename().string(), names);
  return nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", (missing.parent_path() / nearest).string());
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.empty()) fail(path, "no file name is given");
  if (std::filesystem::is_directory(path, ignored)) fail(path, "this is a directory, not a file");

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file && errno == ENOENT) fail(path, "there is no such file", suggest_file(path));
  if (!file) fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));

  std::string text;
  std::vector<char> chunk(1 << 16);
  while (text.size() <= max_text_bytes) {
    const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get());
    if (count == 0) break;
    text.append(chunk.data(), count);
  }
  if (std::ferror(file.get())) fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (text.size() > max_text_bytes) fail(path, "this is larger than 10 MB, which no model is");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    fail(path, "this is a text in UTF-16", "save the file with the encoding UTF-8");
  if (text.find('\0') != std::string::npos) fail(path, "this is not a text file");
  return text;
}

}  // namespace maggi::io
