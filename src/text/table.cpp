#include "text/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maggi::text {

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continuation = (byte & 0xC0) == 0x80;
    const bool combining = byte == 0xCC || (byte == 0xCD && i + 1 < text.size() &&
                                            static_cast<unsigned char>(text[i + 1]) < 0xB0);  // U+0300 to U+036F
    if (!continuation && !combining) ++width;
  }
  return width;
}

std::string number(double value) { return fmt::format("{:.6g}", value + 0.0); }  // + 0.0: no −0

Table& Table::row(std::vector<std::string> cells) {
  rows_.push_back(std::move(cells));
  return *this;
}

std::string Table::text(int indent) const {
  std::vector<int> width(alignment_.size(), 0);
  for (const auto& cells : rows_)
    for (std::size_t j = 0; j < cells.size(); ++j)
      if (const int own = display_width(cells[j]); own <= longest_padded) width[j] = std::max(width[j], own);
  std::string text;
  for (const auto& cells : rows_) {
    std::string line(indent, ' ');
    for (std::size_t j = 0; j < cells.size(); ++j) {
      const std::string padding(std::max(0, width[j] - display_width(cells[j])), ' ');
      if (j > 0) line += "  ";
      line += alignment_[j] == 'r' ? padding + cells[j] : cells[j] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace maggi::text
