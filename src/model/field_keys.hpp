#pragma once
#include "model/field.hpp"

/// Short ways to write a Key in the lists of keys.
namespace maggi::fields {

using Text = std::string_view;

constexpr Key text(Text name, Text about) { return {.name = name, .form = Form::text, .about = about}; }
constexpr Key unit(Text about) { return {.name = "unit", .form = Form::unit, .about = about}; }
constexpr Key flag(Text name, Text about, Text by_default = "false") {
  return {.name = name, .form = Form::flag, .about = about, .by_default = by_default};
}
constexpr Key choice(Text name, std::span<const Text> choices, Text about, Text by_default = {}) {
  return {.name = name, .form = Form::choice, .about = about, .by_default = by_default, .choices = choices};
}
/// A number, or a formula over the parameters.
constexpr Key number(Text name, Text unit, Text about, Text by_default = {}) {
  return {.name = name, .form = Form::one, .about = about, .unit = unit, .by_default = by_default};
}
/// A formula over the motion.
constexpr Key formula(Text name, Text unit, Text about, Text by_default = {}) {
  return {.name = name, .about = about, .unit = unit, .by_default = by_default, .over = Over::motion};
}
constexpr Key numbers(Text name, Form form, Text unit, Text about, Text by_default = {}) {
  return {.name = name, .form = form, .about = about, .unit = unit, .by_default = by_default};
}
constexpr Key formulas(Text name, Form form, Text unit, Text about, Text by_default = {}) {
  return {.name = name, .form = form, .about = about, .unit = unit, .by_default = by_default, .over = Over::motion};
}
/// A point: its coordinates are lengths.
constexpr Key point(Text name, Text about, Text by_default = {}) {
  return {.name = name, .form = Form::place, .about = about, .unit = "m", .by_default = by_default};
}
/// A direction, of any length.
constexpr Key direction(Text name, Text about, Text by_default = {}) {
  return {.name = name, .form = Form::place, .about = about, .by_default = by_default};
}
/// The name of another part, or several: see Form.
constexpr Key reference(Text name, Form form, Text about) { return {.name = name, .form = form, .about = about}; }

constexpr Key alone(Alone alone, Key key) {
  key.alone = alone;
  return key;
}
constexpr Key adjusts(Adjusts adjusts, Key key) {
  key.adjusts = adjusts;
  return key;
}
constexpr Key beside(Beside beside, Key key) {
  key.beside = beside;
  return key;
}

}  // namespace maggi::fields
