#include "system/mechanism/reference/data_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace maggi::mechanism {

namespace {

// micrometres on a metre: below it people round, above it errors begin; with 1 % nothing would be an error
constexpr double default_tolerance = 1e-6, largest_tolerance = 0.01;
constexpr int fewest = 4, most = 12;  // decimals

/// Of a number as it is written: 3 of "-1.250" and of "1.25e-1", which has 2 before its exponent.
struct Decimals {
  int written = 0;  ///< before the exponent
  int last = 0;     ///< place of the last one
  /// Large and small numbers are rounded before their exponents.
  bool of_rounding() const { return of_rounding(written) || of_rounding(last); }
  static bool of_rounding(int count) { return count >= fewest && count <= most; }
};

/// 0 of what is not a number.
Decimals decimals(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto end = text.data() + text.size();
  if (const auto [rest, error] = std::from_chars(text.data(), end, value); error != std::errc() || rest != end)
    return {};
  const std::size_t e = std::min(text.find_first_of("eE"), text.size()), point = text.substr(0, e).find('.');
  int exponent = 0;
  if (e < text.size()) {
    const std::size_t first = e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + first, end, exponent);
  }
  const int written = point == std::string_view::npos ? 0 : static_cast<int>(e - point) - 1;
  return {written, written - exponent};
}

double half_unit_after(const Decimals& of) { return of.of_rounding() ? 0.5 * std::pow(10.0, -of.last) : 0.0; }

}  // namespace

double data_tolerance(const Mechanism& mechanism, const Numbers& numbers) {
  const Formula& given = mechanism.data_tolerance;
  if (given.empty()) return default_tolerance;
  const double value = numbers(given, "data_tolerance");
  if (!(value >= 0.0 && value <= largest_tolerance))
    throw Error(
        Errc::model, given.where, fmt::format("data_tolerance is {:.6g}", value),
        fmt::format("errors of points by the size of a loop, and of axes in rad: from 0 to {:g}", largest_tolerance));
  return value;
}

double half_unit(const Triple& given) {
  Decimals last;
  for (const Formula& value : given.values)
    if (const Decimals own = decimals(value.text); own.of_rounding() && (!last.of_rounding() || own.last > last.last))
      last = own;
    else if (own.written > most)
      return 0.0;
  return half_unit_after(last);
}

double half_unit_of(std::string_view number) { return half_unit_after(decimals(number)); }

}  // namespace maggi::mechanism
