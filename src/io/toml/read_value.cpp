#include "io/toml/read_value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"

namespace maggi::io {

namespace {

using fields::Form;
using fields::Over;

Reference reference_of(const TomlValue& value) { return {value.text(), value.value_where()}; }

std::vector<Formula> elements_of(const TomlValue& value) {
  std::vector<Formula> result;
  for (const TomlValue& element : value.elements()) result.push_back(element.formula());
  return result;
}

std::vector<Formula> row_of(const TomlValue& value) {
  if (!value.is_list()) value.refuse("a list of formulas", "write [\"m\", 0]");
  return elements_of(value);
}

std::vector<Formula> list_of(const TomlValue& value, const Key& key) {
  const std::string_view kind = key.over == Over::motion ? "a list of formulas" : "a list of numbers";
  if (!value.is_list()) value.refuse(kind, fmt::format("write {} = [1.0, 0.0, 0.0]", value.key()));
  std::vector<Formula> result = elements_of(value);
  if (result.empty()) value.refuse(kind, "it is empty");
  return result;
}

bool may_be_one(const TomlValue& value, const Key& key) { return key.form == Form::one_or_list && !value.is_list(); }

/// A point or a direction: in the world [1, 0, 0], in the frame of a body { arm = [1, 0, 0] }, a marker "arm.tip".
Triple place_of(const TomlValue& value, const Key& key) {
  const Where where = value.value_where();
  if (value.is_text()) return {{}, where, reference_of(value)};
  if (!value.is_table()) return {list_of(value, key), where};
  const std::vector<TomlValue> entries = value.entries();
  if (entries.size() != 1 || !entries.front().is_list())
    value.refuse("a list of numbers, or one in the frame of a body",
                 fmt::format("write {0} = [1.0, 0.0, 0.0], or {0} = {{ arm = [1.0, 0.0, 0.0] }}", value.key()));
  const TomlValue& inside = entries.front();
  return {list_of(inside, key), where, {inside.key(), inside.where()}};
}

/// visit(name, value) for what a table gives by name, "hinge.angle": in quotes, or as the dotted key hinge.angle.
template <class Visit>
void for_each_name(const TomlValue& table, const Visit& visit, const std::string& above = "") {
  for (const TomlValue& entry : table.entries())
    if (entry.is_table() && !entry.is_quantity())
      for_each_name(entry, visit, above + entry.key() + ".");
    else
      visit(above + entry.key(), entry);
}

}  // namespace

void need_table(const TomlValue& value, const std::string& help) {
  if (!value.is_table()) value.refuse("a table", help);
}

void read(const TomlValue& value, const Key& /*key*/, Formula& target) { target = value.formula(); }
void read(const TomlValue& value, const Key& /*key*/, std::optional<Formula>& target) { target = value.formula(); }

void read(const TomlValue& value, const Key& key, std::vector<Formula>& target) {
  target = may_be_one(value, key) ? std::vector{value.formula()} : list_of(value, key);
}

void read(const TomlValue& value, const Key& /*key*/, std::vector<std::vector<Formula>>& target) {
  if (!value.is_list()) value.refuse("a list of rows", fmt::format("write {} = [[\"m\", 0], [0, \"m\"]]", value.key()));
  for (const TomlValue& row : value.elements()) target.push_back(row_of(row));
}

void read(const TomlValue& value, const Key& key, std::string& target) {
  target = key.form == Form::unit ? value.unit() : value.text();
}
/// One of several names; which there are is checked later.
void read(const TomlValue& value, const Key& /*key*/, std::optional<std::string>& target) { target = value.text(); }
void read(const TomlValue& value, const Key& /*key*/, std::tuple<std::string&, Where&> target) {
  target = std::pair(value.text(), value.value_where());
}

void read(const TomlValue& value, const Key& key, bool& target) {
  target = key.form == Form::choice ? read_choice(value, key) == 1 : value.boolean();
}

void read(const TomlValue& value, const Key& key, int& target) {
  const std::string text = value.formula().text;
  if (text != "2" && text != "3")
    throw Error(Errc::model, value.value_where(), fmt::format("the {} is {}", key.name, text),
                "2 for mechanisms in the plane x, y; 3 otherwise");
  target = text == "2" ? 2 : 3;
}

void read(const TomlValue& value, const Key& key, Triple& target) {
  if (key.form == Form::place)
    target = place_of(value, key);
  else if (may_be_one(value, key))
    target = {{value.formula()}, value.value_where()};
  else
    target = {list_of(value, key), value.value_where()};
}

void read(const TomlValue& value, const Key& key, std::vector<Marker>& target) {
  need_table(value, fmt::format("write {} = {{ tip = [1.0, 0.0, 0.0] }}", value.key()));
  for (const TomlValue& entry : value.entries()) target.push_back({entry.key(), place_of(entry, key), entry.where()});
}

void read(const TomlValue& value, const Key& /*key*/, Reference& target) { target = reference_of(value); }

/// A coordinate of a joint: "hinge", or "head.angle_1".
void read(const TomlValue& value, const Key& /*key*/, std::tuple<Reference&, std::string&> target) {
  const std::string name = value.text();
  const std::size_t dot = name.find('.');
  target = std::pair(Reference{name.substr(0, dot), value.value_where()},
                     dot == std::string::npos ? std::string() : name.substr(dot + 1));
}

void read(const TomlValue& value, const Key& key, std::vector<Reference>& target) {
  if (key.form == Form::name_or_names && !value.is_list()) return target.push_back(reference_of(value));
  if (!value.is_list()) value.refuse("a list of names", fmt::format("write {} = [\"A\", \"B\"]", value.key()));
  for (const TomlValue& name : value.elements()) target.push_back(reference_of(name));
}

void read(const TomlValue& value, const Key& /*key*/, std::array<Reference, 2>& target) {
  const std::string help = fmt::format("write {} = [\"ground\", \"arm\"]", value.key());
  if (!value.is_list()) value.refuse("the names of two bodies", help);
  const std::vector<TomlValue> names = value.elements();
  if (names.size() != 2)
    throw Error(Errc::model, value.value_where(),
                fmt::format("{} names {} bodies, expected 2", value.label(), names.size()), help);
  for (int i = 0; i < 2; ++i) target[i] = reference_of(names[i]);
}

void read(const TomlValue& value, const Key& key, std::vector<GeneralisedForce>& target) {
  need_table(value, fmt::format("write {} = {{ x = 1, y = \"...\" }}", key.name));
  for_each_name(value, [&](const std::string& name, const TomlValue& entry) {
    target.push_back({name, entry.formula(), entry.where()});
  });
}

void read(const TomlValue& value, const Key& key, std::vector<Coupling::Term>& target) {
  need_table(value, fmt::format("write {} = {{ \"a.angle\" = 1, \"b.angle\" = -2 }}", key.name));
  for_each_name(value, [&](const std::string& name, const TomlValue& term) {
    target.push_back({{name, term.where()}, term.formula()});
  });
}

void read(const TomlValue& value, const Key& /*key*/, std::vector<JointValue>& target) {
  if (!value.is_table() || value.is_quantity()) return target.push_back({"", value.formula(), value.where()});
  for_each_name(value, [&](const std::string& name, const TomlValue& entry) {
    target.push_back({name, entry.formula(), entry.where()});
  });
}

std::size_t read_choice(const TomlValue& value, const Key& key) {
  const std::string text = value.text();
  const auto found = std::ranges::find(key.choices, text);
  if (found != key.choices.end()) return static_cast<std::size_t>(found - key.choices.begin());
  std::string kind(key.name);
  std::ranges::replace(kind, '_', ' ');
  const std::vector<std::string> names(key.choices.begin(), key.choices.end());
  throw Error(Errc::model, value.value_where(), fmt::format("no {} is named \"{}\"", kind, text),
              suggest_name(text, names));
}

}  // namespace maggi::io
