#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace maggi::text {

/// A few aligned columns for people.
class Table {
 public:
  /// One letter per column: 'l' left, 'r' right; the last column is never padded.
  /// Cells longer than longest_padded push only what follows in their own line.
  explicit Table(std::string_view alignment) : alignment_(alignment) {}

  Table& row(std::vector<std::string> cells);
  std::string text(int indent = 2) const;
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  static constexpr int longest_padded = 72;
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that a UTF-8 text takes on a terminal: combining marks (the dot of v̇) take none.
int display_width(std::string_view text);

/// Six digits: enough to read, short enough for a table.
std::string number(double value);

}  // namespace maggi::text
