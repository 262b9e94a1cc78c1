#pragma once
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "maggi/mechanism.hpp"

/// Does a member of a part say something, or does it have the value `usual` that a part begins with?
namespace maggi::fields {

inline bool given(const std::string& text, const std::string& /*usual*/ = {}) { return !text.empty(); }
inline bool given(const Formula& formula, const Formula& /*usual*/ = {}) { return !formula.empty(); }
inline bool given(const Triple& triple, const Triple& /*usual*/ = {}) { return triple.given(); }
inline bool given(const Reference& reference, const Reference& /*usual*/ = {}) { return !reference.name.empty(); }
inline bool given(const std::array<Reference, 2>& pair, const std::array<Reference, 2>& /*usual*/ = {}) {
  return given(pair[0]) || given(pair[1]);
}
template <class Value>
bool given(const std::optional<Value>& value, const std::optional<Value>& /*usual*/ = {}) {
  return value.has_value();
}
template <class Value>
bool given(const std::vector<Value>& values, const std::vector<Value>& /*usual*/ = {}) {
  return !values.empty();
}
/// Of two members that one key gives the first decides.
template <class First, class Second>
bool given(const std::tuple<First&, Second&>& both, const std::tuple<First&, Second&>& /*usual*/) {
  return given(std::get<0>(both));
}
template <class Value>
requires(std::is_arithmetic_v<Value> || std::is_enum_v<Value>) bool given(Value value, Value usual) {
  return value != usual;
}

}  // namespace maggi::fields
