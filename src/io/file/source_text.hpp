#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maggi/error.hpp"

namespace maggi::io {

/// A text with its name and its lines: what stands at a line and a column. Columns count characters (UTF-8).
class SourceText {
 public:
  SourceText(std::string file, std::string_view text);

  const std::string& file() const { return file_; }
  std::string_view text() const { return text_; }
  int lines() const { return static_cast<int>(lines_.size()); }
  Where where(int line, int column) const { return {file_, line, column}; }

  std::string_view line(int number) const;              ///< without its end; empty beyond the last
  std::string_view before(int line, int column) const;  ///< from the beginning of the line
  std::string_view from(int line, int column) const;    ///< to the end of the line
  Where first_character(int line, int column) const;    ///< of the string whose quotes open there

 private:
  std::string file_;
  std::string_view text_;
  std::vector<std::string_view> lines_;
};

}  // namespace maggi::io
