#include "io/toml/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "io/file/text_file.hpp"

namespace maggi::io {

namespace {

/// Where a line has ";", tabs or blanks between its columns, its commas are decimal points; "1, 2" has commas only.
bool has_decimal_commas(const std::string& line) {
  if (line.find_first_of(";\t") != std::string::npos) return true;
  for (std::size_t i = line.find(' '); i != std::string::npos; i = line.find(' ', i + 1)) {
    const std::size_t before = line.find_last_not_of(' ', i), after = line.find_first_not_of(' ', i);
    if (before != std::string::npos && after != std::string::npos && line[before] != ',' && line[after] != ',')
      return true;
  }
  return false;
}

std::vector<std::string> columns_of(const std::string& line) {
  const bool decimal_commas = has_decimal_commas(line);
  const std::string_view separators = decimal_commas ? ";\t " : ", ";
  std::vector<std::string> result;
  for (std::size_t begin = line.find_first_not_of(separators); begin != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    result.push_back(line.substr(begin, end - begin));
    if (decimal_commas) std::ranges::replace(result.back(), ',', '.');
    begin = line.find_first_not_of(separators, end);
  }
  return result;
}

bool read_number(const std::string& text, double& value) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

bool begins_with_digit(const std::string& column) {
  const std::size_t sign = column.find_first_not_of("+-.");
  return sign != std::string::npos && column[sign] >= '0' && column[sign] <= '9';
}

expression::Table parse_table(const std::string& name, const std::string& text) {
  expression::Table table;
  const auto failed = [&](int line, const std::string& what, const std::string& help) {
    return expression::Table{{}, {}, fmt::format("{}:{}: {}", name, line, what), help};
  };
  int number = 0;
  bool headed = false;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> columns = columns_of(line);
    double x = 0.0, y = 0.0;
    if (!headed && table.x.empty() && std::ranges::none_of(columns, begins_with_digit)) {
      headed = true;
      continue;
    }
    if (columns.size() < 2 || !read_number(columns[0], x) || !read_number(columns[1], y))
      return failed(number + 1, "there are not two numbers in this line", "one point in each line: x, y");
    if (columns.size() > 2)
      return failed(number + 1, fmt::format("there are {} columns in this line", columns.size()),
                    "one point in each line: x, y; or x; y if commas are decimal points");
    if (!table.x.empty() && x <= table.x.back())
      return failed(number + 1, fmt::format("x is {}, after {}", x, table.x.back()), "x must increase");
    table.x.push_back(x);
    table.y.push_back(y);
  }
  if (table.x.size() < 2) return failed(number, "the table has fewer than two points", "one point in each line: x, y");
  return table;
}

expression::Table read_table(const std::string& name, const std::filesystem::path& folder) {
  try {
    std::error_code ignored;
    if (const auto kind = std::filesystem::status(folder / name, ignored).type();
        kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found)
      return {{}, {}, fmt::format("the table \"{}\" cannot be read: this is not a regular file", name), ""};
    return parse_table(name, read_text_file(folder / name));
  } catch (const Error& error) {
    return {{}, {}, fmt::format("the table \"{}\" cannot be read: {}", name, error.cause()), error.help()};
  }
}

bool is_comment(std::string_view text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 = 0
  return text.substr(text.find_first_not_of(" \t", line)).starts_with('#');
}

/// The name in table("name", behind `at`, where quotes may be escaped; empty if that is something else.
std::string name_behind(std::string_view text, std::size_t at) {
  const auto skip = [&](std::string_view letters) {
    while (at < text.size() && letters.find(text[at]) != std::string_view::npos) ++at;
  };
  skip(" \t\n");
  if (at >= text.size() || text[at] != '(') return "";
  ++at;
  skip(" \t\n");
  skip("\\");
  if (at >= text.size() || text[at] != '"') return "";
  const std::size_t begin = at + 1, end = text.find_first_of("\"\\", begin);
  return end == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin));
}

}  // namespace

std::vector<TableFile> read_tables(std::string_view model_text, const std::filesystem::path& model_file) {
  constexpr std::string_view function = "table";
  std::vector<TableFile> tables;
  for (std::size_t at = model_text.find(function); at != std::string_view::npos;
       at = model_text.find(function, at + 1)) {
    const std::string name = name_behind(model_text, at + function.size());
    if (name.empty() || is_comment(model_text, at)) continue;
    if (std::ranges::find(tables, name, &TableFile::name) == tables.end())
      tables.push_back({name, std::make_shared<const expression::Table>(read_table(name, model_file.parent_path()))});
  }
  return tables;
}

}  // namespace maggi::io
