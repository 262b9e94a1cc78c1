#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace maggi::expression {

/// What a quantity is measured in: factor · kg^a m^b s^c rad^d. The radian counts, so that an angle is no number.
struct Unit {
  double factor = 1.0;  ///< to the units of the SI
  std::array<int, 4> powers{};
  bool same_kind(const Unit& other) const { return powers == other.powers; }
};

/// "mm", "N m/rad", "kg/m^3", "1/s"; nothing if it contains a name that is no unit.
std::optional<Unit> find_unit(std::string_view text);

/// The unit of the SI, as text: "m" for "mm", "rad/s" for "rpm"; units with the factor 1 stay as they are.
std::string si_text(std::string_view unit);

/// Error help for a text that is no unit: the nearest one where there is one.
std::string unit_help(std::string_view text);

/// How many characters at the beginning of `text` are a unit, as in "mm + l", "N/m": names of units separated by blanks
/// and "/", as many as there are; 0 if the first name is none.
std::size_t unit_length(std::string_view text);

/// The unit of a formula that is a quantity and nothing else, "30 mm", "-2 [N m]", "(2*l) [mm]": the place of the unit
/// in the text.
std::optional<std::string_view> unit_of_quantity(std::string_view formula);

}  // namespace maggi::expression
