#include "io/file/source_text.hpp"

namespace maggi::io {

SourceText::SourceText(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines_.push_back(line);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::string_view SourceText::line(int number) const {
  return number >= 1 && number <= lines() ? lines_[static_cast<std::size_t>(number - 1)] : std::string_view{};
}

std::string_view SourceText::before(int line_number, int column) const {
  const std::string_view text = line(line_number);
  return text.substr(0, text.size() - from(line_number, column).size());
}

std::string_view SourceText::from(int line_number, int column) const {
  std::string_view rest = line(line_number);
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; };
  for (int c = 1; c < column && !rest.empty(); ++c) {
    rest.remove_prefix(1);
    while (!rest.empty() && continues(rest.front())) rest.remove_prefix(1);
  }
  return rest;
}

Where SourceText::first_character(int line_number, int column) const {
  const std::string_view quotes = from(line_number, column);
  if (!quotes.starts_with("\"\"\"") && !quotes.starts_with("'''")) return where(line_number, column + 1);
  const bool begins_below = quotes.size() == 3;  // a line end right after the quotes does not belong to the string
  return begins_below ? where(line_number + 1, 1) : where(line_number, column + 3);
}

}  // namespace maggi::io
