#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "maggi/formula.hpp"

namespace maggi::io {

/// A text in the quotes that fit it: one over several lines stays as it is where it can.
std::string in_quotes(std::string_view text);
/// A number as it is, any other formula in quotes.
std::string value_of(const Formula& formula);
/// "[1, "2*a"]".
std::string list(const std::vector<Formula>& formulas);
/// A name, in quotes if it needs them.
std::string key_of(const std::string& name);

/// Collects "key = value" pairs and writes them between braces.
class Braces {
 public:
  Braces& add(std::string_view key, const std::string& value) {
    text_ += fmt::format("{}{} = {}", text_.empty() ? "" : ", ", key, value);
    return *this;
  }
  std::string text() const { return text_.empty() ? "{}" : fmt::format("{{ {} }}", text_); }

 private:
  std::string text_;
};

/// Lines "name = value" under a heading; nothing if there are none.
class Section {
 public:
  explicit Section(std::string_view name) : name_(name) {}
  void add(const std::string& key, const std::string& value) { lines_ += fmt::format("{} = {}\n", key_of(key), value); }
  std::string text() const { return lines_.empty() ? "" : fmt::format("\n[{}]\n{}", name_, lines_); }

 private:
  std::string name_, lines_;
};

}  // namespace maggi::io
