#include "io/npz/npy.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maggi::io {

namespace {

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

}  // namespace

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

}  // namespace maggi::io
