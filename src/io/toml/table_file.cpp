#include "io/toml/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

#include "io/file/text_file.hpp"

namespace maggi::io {

namespace {

std::vector<std::string> words(const std::string& line) {
  static const std::regex separators("[,;\\t ]+");
  std::vector<std::string> result;
  for (std::sregex_token_iterator word(line.begin(), line.end(), separators, -1), end; word != end; ++word)
    if (word->length() > 0) result.push_back(*word);
  return result;
}

bool read_number(const std::string& text, double& value) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && end == text.data() + text.size() && std::isfinite(value);
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
    const std::vector<std::string> columns = words(line);
    double x = 0.0, y = 0.0;
    if (columns.size() < 2 || !read_number(columns[0], x) || !read_number(columns[1], y)) {
      if (!headed && table.x.empty()) {
        headed = true;
        continue;
      }
      return failed(number + 1, "there are not two numbers in this line", "one point in each line: x, y");
    }
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
    return parse_table(name, read_text_file(folder / name));
  } catch (const Error& error) {
    return {{}, {}, fmt::format("the table \"{}\" cannot be read: {}", name, error.cause()), error.help()};
  }
}

}  // namespace

std::vector<TableFile> read_tables(std::string_view model_text, const std::filesystem::path& model_file) {
  static const std::regex mention("table\\s*\\(\\s*\\\\?\"([^\"\\\\]+)\\\\?\"");
  const std::string text(model_text);
  std::vector<TableFile> tables;
  for (std::sregex_iterator found(text.begin(), text.end(), mention), end; found != end; ++found) {
    const std::string name = (*found)[1];
    if (std::ranges::find(tables, name, &TableFile::name) == tables.end())
      tables.push_back({name, std::make_shared<const expression::Table>(read_table(name, model_file.parent_path()))});
  }
  return tables;
}

}  // namespace maggi::io
