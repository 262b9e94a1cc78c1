#pragma once
#include <fmt/format.h>

#include <optional>
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
  Braces& add(std::string_view key, const std::optional<Formula>& formula) {
    return formula ? add(key, value_of(*formula)) : *this;
  }
  Braces& flag(std::string_view key, bool value) { return value ? add(key, std::string("true")) : *this; }
  Braces& unit(const std::string& unit) { return unit.empty() ? *this : add("unit", in_quotes(unit)); }
  std::string text() const { return text_.empty() ? "{}" : fmt::format("{{ {} }}", text_); }

 private:
  std::string text_;
};

/// Lines "name = value" under a heading; nothing if there are none.
class Section {
 public:
  explicit Section(std::string_view name) : name_(name) {}
  void add(const std::string& key, const std::string& value) { lines_ += fmt::format("{} = {}\n", key_of(key), value); }
  void add(const std::string& key, const std::optional<Formula>& formula) {
    if (formula) add(key, value_of(*formula));
  }
  void add(const std::string& key, const std::optional<std::string>& text) {
    if (text) add(key, in_quotes(*text));
  }
  std::string text() const { return lines_.empty() ? "" : fmt::format("\n[{}]\n{}", name_, lines_); }

 private:
  std::string name_, lines_;
};

}  // namespace maggi::io
