#include "io/toml/value_text.hpp"

namespace maggi::io {

namespace {

using fields::Form;

std::string place_text(const Triple& triple) {
  const std::string& frame = triple.frame.name;
  if (frame.empty()) return list(triple.values);
  return triple.values.empty() ? in_quotes(frame) : Braces().add(key_of(frame), list(triple.values)).text();
}

}  // namespace

std::string text_of(const Key& /*key*/, const Formula& formula) { return value_of(formula); }
std::string text_of(const Key& /*key*/, const std::optional<Formula>& formula) { return value_of(*formula); }

std::string text_of(const Key& key, const std::vector<Formula>& formulas) {
  return key.form == Form::one_or_list && formulas.size() == 1 ? value_of(formulas.front()) : list(formulas);
}

std::string text_of(const Key& /*key*/, const std::vector<std::vector<Formula>>& rows) {
  std::vector<std::string> texts;
  for (const std::vector<Formula>& row : rows) texts.push_back(list(row));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string text_of(const Key& /*key*/, const std::string& text) { return in_quotes(text); }
std::string text_of(const Key& /*key*/, const std::optional<std::string>& text) { return in_quotes(*text); }
std::string text_of(const Key& /*key*/, const std::tuple<const std::string&, const Where&>& text) {
  return in_quotes(std::get<0>(text));
}

std::string text_of(const Key& key, bool value) {
  return key.form == Form::choice ? in_quotes(key.choices[value ? 1 : 0]) : value ? "true" : "false";
}

std::string text_of(const Key& /*key*/, int value) { return fmt::format("{}", value); }

std::string text_of(const Key& key, const Triple& triple) {
  if (key.form == Form::place) return place_text(triple);
  return text_of(key, triple.values);
}

std::string text_of(const Key& /*key*/, const std::vector<Marker>& markers) {
  Braces braces;
  for (const Marker& marker : markers) braces.add(key_of(marker.name), place_text(marker.at));
  return braces.text();
}

std::string text_of(const Key& /*key*/, const Reference& reference) { return in_quotes(reference.name); }

std::string text_of(const Key& /*key*/, const std::tuple<const Reference&, const std::string&>& coordinate) {
  const auto& [joint, component] = coordinate;
  return in_quotes(joint.name + (component.empty() ? "" : "." + component));
}

std::string text_of(const Key& /*key*/, const std::vector<Reference>& references) {
  std::vector<std::string> names;
  for (const Reference& reference : references) names.push_back(in_quotes(reference.name));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string text_of(const Key& /*key*/, const std::array<Reference, 2>& bodies) {
  return fmt::format("[{}, {}]", in_quotes(bodies[0].name), in_quotes(bodies[1].name));
}

std::string text_of(const Key& /*key*/, const std::vector<GeneralisedForce>& along) {
  Braces braces;
  for (const GeneralisedForce& part : along) braces.add(key_of(part.coordinate), value_of(part.formula));
  return braces.text();
}

std::string text_of(const Key& /*key*/, const std::vector<Coupling::Term>& terms) {
  Braces braces;
  for (const Coupling::Term& term : terms) braces.add(key_of(term.coordinate.name), value_of(term.factor));
  return braces.text();
}

std::string text_of(const Key& /*key*/, const std::vector<JointValue>& values) {
  return by_coordinate(values, [](const JointValue& value) { return value_of(value.value); });
}

}  // namespace maggi::io
