#pragma once
#include "io/toml/toml_text.hpp"
#include "maggi/model.hpp"
#include "model/field.hpp"

/// How the values of keys are written, one for each type of member: what read() of the same key reads.
namespace maggi::io {

using fields::Key;

std::string text_of(const Key& key, const Formula& formula);
std::string text_of(const Key& key, const std::optional<Formula>& formula);
std::string text_of(const Key& key, const std::vector<Formula>& formulas);
std::string text_of(const Key& key, const std::vector<std::vector<Formula>>& rows);
std::string text_of(const Key& key, const std::string& text);
std::string text_of(const Key& key, const std::optional<std::string>& text);
std::string text_of(const Key& key, const std::tuple<const std::string&, const Where&>& text);
std::string text_of(const Key& key, bool value);
std::string text_of(const Key& key, int value);
std::string text_of(const Key& key, const Triple& triple);
std::string text_of(const Key& key, const std::vector<Marker>& markers);
std::string text_of(const Key& key, const Reference& reference);
std::string text_of(const Key& key, const std::tuple<const Reference&, const std::string&>& coordinate);
std::string text_of(const Key& key, const std::vector<Reference>& references);
std::string text_of(const Key& key, const std::array<Reference, 2>& bodies);
std::string text_of(const Key& key, const std::vector<GeneralisedForce>& along);
std::string text_of(const Key& key, const std::vector<Coupling::Term>& terms);
std::string text_of(const Key& key, const std::vector<JointValue>& values);

/// Of the only coordinate, or a table with one for each.
template <class Value, class Text>
std::string by_coordinate(const std::vector<Value>& values, const Text& text) {
  if (values.front().component.empty()) return text(values.front());
  Braces braces;
  for (const Value& value : values) braces.add(key_of(value.component), text(value));
  return braces.text();
}

template <class Enum>
requires std::is_enum_v<Enum> std::string text_of(const Key& key, Enum value) {
  return in_quotes(key.choices[static_cast<std::size_t>(value)]);
}

}  // namespace maggi::io
