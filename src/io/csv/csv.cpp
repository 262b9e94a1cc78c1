#include "io/csv/csv.hpp"

#include <fmt/format.h>

#include "io/csv/csv_field.hpp"
#include "io/file/atomic_file.hpp"

namespace maggi {

namespace {

std::string header(const std::vector<Channel>& channels) {
  std::string line;
  for (const Channel& channel : channels) {
    if (!line.empty()) line += ',';
    line += io::csv_field(channel);
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
