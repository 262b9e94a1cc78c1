#include "system/mechanism/rounding/typed_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "system/mechanism/reference/data_errors.hpp"

namespace maggi::mechanism {

namespace {

bool of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// Is what stands before it a power, whose exponent a number with decimals states exactly?
bool is_exponent(const std::string& text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '-')) --at;
  return at > 0 && text[at - 1] == '^';
}

}  // namespace

TypedNumbers::TypedNumbers(const std::vector<Constraint>& constraints) : constraints_(constraints) {
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    if (constraints[c].level != Level::position) continue;
    find(c, false, constraints[c].formula.text);
    find(c, true, constraints[c].equals.text);
  }
}

TypedNumbers::TypedNumbers(const std::vector<Constraint>& constraints, const std::vector<std::string>& names)
    : TypedNumbers(constraints) {
  std::erase_if(numbers_, [&](const Number& number) {
    return std::ranges::find(names, constraints_[number.constraint].name) == names.end();
  });
}

void TypedNumbers::find(std::size_t constraint, bool equals, const std::string& text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    const bool begins = std::isdigit(static_cast<unsigned char>(text[i])) || text[i] == '.';
    if (quoted || !begins || (i > 0 && of_name(text[i - 1]))) continue;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
    if (error != std::errc()) continue;
    const auto length = static_cast<std::size_t>(end - (text.data() + i));
    const std::string digits = text.substr(i, length);
    if (digits.find_first_of(".e") != std::string::npos && value != 0.0 && !is_exponent(text, i))
      numbers_.push_back({constraint, equals, i, length, value, half_unit_of(digits) / std::abs(value)});
    i += length - 1;
  }
}

std::string TypedNumbers::text(int k) const {
  const Number& number = numbers_[k];
  const Constraint& constraint = constraints_[number.constraint];
  return (number.equals ? constraint.equals : constraint.formula).text.substr(number.at, number.length);
}

std::vector<Constraint> TypedNumbers::with(const Vector& p) const {
  std::vector<Constraint> result = constraints_;
  for (int k = count() - 1; k >= 0; --k) {  // from the last one, so that places before it stay
    if (p[k] == 0.0) continue;
    const Number& number = numbers_[k];
    Constraint& constraint = result[number.constraint];
    std::string& text = (number.equals ? constraint.equals : constraint.formula).text;
    text.replace(number.at, number.length, fmt::format("{}", changed(k, p)));
  }
  return result;
}

}  // namespace maggi::mechanism
