#include "maggi/io/csv.hpp"

#include <fmt/format.h>

#include "io/atomic_file.hpp"

namespace maggi {

namespace {

/// RFC 4180: quoted if it contains what separates, quotes doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string header(const std::vector<Channel>& channels) {
  std::string line;
  for (const Channel& channel : channels) {
    if (!line.empty()) line += ',';
    line += field(channel.unit.empty() ? channel.name : fmt::format("{} [{}]", channel.name, channel.unit));
  }
  return line + "\n";
}

}  // namespace

void write_csv(const std::filesystem::path& path, const Trajectory& trajectory) {
  io::AtomicFile file(path);
  file.write(header(trajectory.channels()));
  const std::size_t width = trajectory.channels().size();
  fmt::memory_buffer line;
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    const double* values = trajectory.state(i);
    line.clear();
    for (std::size_t j = 0; j < width; ++j)
      fmt::format_to(std::back_inserter(line), "{}{}", values[j], j + 1 < width ? ',' : '\n');
    file.write({line.data(), line.size()});
  }
  file.commit();
}

}  // namespace maggi
