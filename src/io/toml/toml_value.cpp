#include "io/toml/toml_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/names.hpp"
#include "expression/units.hpp"
#include "io/file/syntax_error.hpp"

namespace maggi::io {

namespace {

Where place(const SourceText& source, const toml::source_region& region) {
  return source.where(static_cast<int>(region.begin.line), static_cast<int>(region.begin.column));
}

std::string_view kind(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer:
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "a boolean";
    case toml::node_type::date: return "a date";
    case toml::node_type::time: return "a time of day";
    case toml::node_type::date_time: return "a date with time";
    case toml::node_type::none: break;
  }
  return "nothing";
}

/// What people call things in other programs, and the key that does it here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 30> other_words{{
    {"T", "kinetic"},
    {"V", "potential"},
    {"U", "potential"},
    {"M", "mass"},
    {"h", "force"},
    {"forces", "generalised_force"},
    {"force", "generalised_force"},
    {"name", "title"},
    {"variables", "coordinates"},
    {"q", "coordinates"},
    {"definitions", "define"},
    {"initial", "start"},
    {"value", "start"},
    {"position", "start"},
    {"initial_position", "start"},
    {"velocity", "speed"},
    {"initial_velocity", "speed"},
    {"units", "unit"},
    {"expression", "formula"},
    {"value", "formula"},
    {"holonomic", "position"},
    {"nonholonomic", "velocity"},
    {"t_end", "until"},
    {"tend", "until"},
    {"end", "until"},
    {"duration", "until"},
    {"t0", "from"},
    {"dt", "output"},
    {"method", "integrator"},
    {"tolerance", "rtol"},
}};

std::string help_with(const std::string& unknown, const std::vector<std::string>& valid) {
  for (const auto& [word, key] : other_words)
    if (word == unknown && std::ranges::find(valid, key) != valid.end())
      return fmt::format("did you mean \"{}\"?", key);
  return suggest_name(unknown, valid);
}

}  // namespace

TomlValue::TomlValue(const SourceText& source, const toml::table& root)
    : source_(&source), node_(&root), where_{source.file(), 0, 0} {}

std::string TomlValue::title() const { return depth_ == 1 ? fmt::format("[{}]", key_) : label_; }

Where TomlValue::value_where() const { return place(*source_, node_->source()); }

std::vector<TomlValue> TomlValue::entries() const {
  std::vector<std::pair<toml::source_position, TomlValue>> found;
  for (const auto& [key, node] : *node_->as_table()) {
    TomlValue entry;
    entry.source_ = source_;
    entry.node_ = &node;
    entry.depth_ = depth_ + 1;
    entry.key_ = std::string(key.str());
    entry.label_ = depth_ < 2 ? entry.key_ : label_ + "." + entry.key_;
    entry.where_ = place(*source_, key.source());
    found.emplace_back(key.source().begin, std::move(entry));
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });

  std::vector<TomlValue> result;
  for (auto& [position, entry] : found) result.push_back(std::move(entry));
  return result;
}

std::optional<TomlValue> TomlValue::find(std::string_view key) const {
  for (TomlValue& entry : entries())
    if (entry.key() == key) return std::move(entry);
  return std::nullopt;
}

std::vector<TomlValue> TomlValue::elements() const {
  std::vector<TomlValue> result;
  for (const toml::node& node : *node_->as_array()) {
    TomlValue element;
    element.source_ = source_;
    element.node_ = &node;
    element.depth_ = depth_ + 1;
    element.label_ = fmt::format("{}[{}]", label_, result.size() + 1);
    element.where_ = place(*source_, node.source());
    result.push_back(std::move(element));
  }
  return result;
}

std::string TomlValue::text() const {
  if (!is_text()) refuse("a text in quotes");
  return node_->as_string()->get();
}

bool TomlValue::boolean() const {
  if (!node_->is_boolean()) refuse("true or false");
  return node_->as_boolean()->get();
}

Formula TomlValue::formula() const {
  if (const auto* integer = node_->as_integer()) return {fmt::format("{}", integer->get()), value_where()};
  if (const auto* number = node_->as_floating_point()) {
    if (!std::isfinite(number->get()))
      throw Error(
          Errc::model, value_where(),
          fmt::format("{} must be a finite number, here {}", label_, std::isnan(number->get()) ? "nan" : "inf"));
    return {Formula(number->get()).text, value_where()};
  }
  if (is_quantity()) return quantity();
  if (!is_text()) refuse("a number or a formula");
  std::string text = node_->as_string()->get();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw Error(Errc::model, value_where(), fmt::format("{} is empty", label_), "write a formula or remove the line");
  const toml::source_position at = node_->source().begin;
  return {std::move(text), source_->first_character(static_cast<int>(at.line), static_cast<int>(at.column))};
}

bool TomlValue::is_quantity() const { return is_table() && (find("value") || find("unit")); }

/// { value = 30, unit = "mm" } is the formula "30 [mm]".
Formula TomlValue::quantity() const {
  Formula value;
  std::string unit;
  read_fields(*this, {{"value", [&](const TomlValue& entry) { value = entry.formula(); }},
                      {"unit", [&](const TomlValue& entry) { unit = entry.unit(); }}});
  if (value.empty() || unit.empty())
    fail(value.empty() ? "has a unit but no value" : "has a value but no unit", "write { value = 30, unit = \"mm\" }");
  return with_unit(std::move(value), unit);
}

std::string TomlValue::unit() const {
  std::string name = text();
  if (!name.empty() && !expression::find_unit(name))
    throw Error(Errc::model, value_where(), fmt::format("no unit is named \"{}\"", name), expression::unit_help(name));
  return name;
}

Formula with_unit(Formula value, const std::string& unit) {
  if (const auto other = expression::unit_of_quantity(value.text))
    throw Error(Errc::model, value.where, fmt::format("the value has a unit of its own, \"{}\"", *other),
                "keep one of the two units");
  const bool number = value.text.find_first_not_of("0123456789.eE-+") == std::string::npos;
  if (!number) {
    value.text = "(" + value.text + ")";
    --value.where.column;  // so that messages point into the value as the user wrote it
  }
  value.text += " [" + unit + "]";
  return value;
}

void TomlValue::refuse(std::string_view wanted, std::string help) const {
  throw Error(Errc::model, value_where(), fmt::format("{} must be {}, here {}", label_, wanted, kind(*node_)),
              std::move(help));
}

void TomlValue::fail(std::string_view what, std::string help) const {
  throw Error(Errc::model, where_, fmt::format("{} {}", title(), what), std::move(help));
}

void read_fields(const TomlValue& table, const std::vector<Field>& fields) {
  for (const TomlValue& entry : table.entries()) {
    const auto field = std::ranges::find(fields, entry.key(), &Field::key);
    if (field != fields.end()) {
      field->read(entry);
      continue;
    }
    std::vector<std::string> valid;
    for (const Field& each : fields) valid.push_back(each.key);
    const std::string at = table.title().empty() ? "" : " in " + table.title();
    const std::string what = at.empty() && entry.is_table() ? fmt::format("unknown table [{}]", entry.key())
                                                            : fmt::format("unknown key \"{}\"{}", entry.key(), at);
    throw Error(Errc::model, entry.where(), what, help_with(entry.key(), valid));
  }
}

namespace {

/// toml++ has a bound for arrays and tables in each other, and none for dotted keys, whose tables it makes recursively.
void refuse_deep_keys(const SourceText& source) {
  constexpr int deepest = 100;
  for (int number = 1; number <= source.lines(); ++number) {
    const std::string_view line = source.line(number);
    int depth = 0;
    for (std::size_t i = line.find_first_not_of(" \t["); i < line.size(); ++i) {
      const unsigned char letter = static_cast<unsigned char>(line[i]);
      if (!std::isalnum(letter) && letter != '_' && letter != '-' && letter != '.') break;
      if (letter == '.' && ++depth > deepest)
        throw Error(Errc::model, source.where(number, static_cast<int>(i) + 1), "tables are nested too deeply",
                    "no table of a model has more than three names with points between them");
    }
  }
}

}  // namespace

toml::table parse_toml(const SourceText& source) {
  refuse_deep_keys(source);
  try {
    return toml::parse(source.text());
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw syntax_error(source, error.description(), static_cast<int>(at.line), static_cast<int>(at.column));
  }
}

}  // namespace maggi::io
