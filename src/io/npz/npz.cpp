#include "io/npz/npz.hpp"

#include <fmt/format.h>

#include <bit>

#include "io/npz/npy.hpp"

namespace maggi {

namespace {

using io::add_texts, io::npy_header, io::ZipFile;

static_assert(std::endian::native == std::endian::little, "the arrays are written as they lie in memory");

void add_values(ZipFile& zip, const std::string& name, const Trajectory& trajectory, const Trajectory::Group& group,
                const std::string& shape) {
  zip.add(name + ".npy", [&](const ZipFile::Write& write) {
    write(npy_header("<f8", shape));
    if (group.count == 0) return;
    for (std::size_t i = 0; i < trajectory.size(); ++i)
      write({reinterpret_cast<const char*>(trajectory.state(i) + group.first), group.count * sizeof(double)});
  });
}

}  // namespace

void write_npz(const std::filesystem::path& path, const Trajectory& trajectory) {
  constexpr std::size_t headers = 1 << 20;  // far more than the names need
  const std::size_t bytes = trajectory.size() * trajectory.channels().size() * sizeof(double);
  if (bytes + headers > ZipFile::max_bytes)
    throw Error(Errc::io, {path.string(), 0, 0},
                fmt::format("the motion has {:.1f} GB, more than the 4 GiB that an .npz file can hold",
                            static_cast<double>(bytes) * 1e-9),
                "store fewer states: a larger output in [simulation]");

  ZipFile zip(path);
  const std::size_t states = trajectory.size();
  add_values(zip, "t", trajectory, trajectory.group("time"), fmt::format("{},", states));
  for (const Trajectory::Group& group : trajectory.groups()) {
    if (group.name == "time") continue;
    std::vector<std::string> names, units;
    for (int i = group.first; i < group.first + group.count; ++i) {
      names.push_back(trajectory.channels()[i].name);
      units.push_back(trajectory.channels()[i].unit);
    }
    add_values(zip, group.name, trajectory, group, fmt::format("{}, {}", states, group.count));
    add_texts(zip, group.name + "_names", names);
    add_texts(zip, group.name + "_units", units);
  }
  zip.commit();
}

}  // namespace maggi
