#include "maggi/io/npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "io/zip_file.hpp"

namespace maggi {

namespace {

using io::ZipFile;

static_assert(std::endian::native == std::endian::little, "the arrays are written as they lie in memory");

/// The head of an .npy file, padded so that the data begin at a multiple of 64 bytes.
std::string npy_header(std::string_view type, std::string_view shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  constexpr std::size_t prefix = 10, alignment = 64;
  text.append(alignment - (prefix + text.size() + 1) % alignment, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xFFu);
  header += static_cast<char>(text.size() >> 8u);
  return header + text;
}

/// UTF-8 to the code points of a NumPy text, which has no other encoding.
std::u32string code_points(std::string_view text) {
  std::u32string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0u) == 0x80u && !result.empty())
      result.back() = (result.back() << 6u) | (byte & 0x3Fu);
    else
      result += byte < 0x80u ? byte : byte < 0xE0u ? byte & 0x1Fu : byte < 0xF0u ? byte & 0x0Fu : byte & 0x07u;
  }
  return result;
}

void add_texts(ZipFile& zip, const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::u32string> all;
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, all.emplace_back(code_points(text)).size());
  for (std::u32string& text : all) text.resize(longest, U'\0');
  zip.add(name + ".npy", [&](const ZipFile::Write& write) {
    write(npy_header(fmt::format("<U{}", longest), fmt::format("{},", texts.size())));
    for (const std::u32string& text : all)
      write({reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t)});
  });
}

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
