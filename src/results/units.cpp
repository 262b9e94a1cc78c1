#include "results/units.hpp"

namespace maggi::results {

namespace {
std::string without(std::string_view unit, std::string_view end) {
  return unit.ends_with(end) ? std::string(unit.substr(0, unit.size() - end.size())) : std::string();
}
}  // namespace

std::string per_second(std::string_view unit) {
  const auto known = [](std::string_view base) { return !base.empty() && base.find('/') == std::string_view::npos; };
  if (const std::string base = without(unit, "/s"); known(base)) return base + "/s^2";
  return known(unit) ? std::string(unit) + "/s" : "";
}

std::string force_along(std::string_view unit) {
  if (unit == "m") return "N";
  if (unit == "rad") return "N m";
  if (unit == "m^2") return "N/m";
  return "";
}

std::string multiplier_unit(std::string_view unit, Level level) {
  switch (level) {
    case Level::position: return force_along(unit);
    case Level::velocity: return force_along(without(unit, "/s"));
    case Level::acceleration: return force_along(without(unit, "/s^2"));
  }
  return "";
}

}  // namespace maggi::results
