#include "expression/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/names.hpp"

namespace maggi::expression {

namespace {

struct NamedUnit {
  std::string_view name;
  double factor;
  std::array<int, 4> powers;  // kg, m, s, rad
  bool prefixes;              // may a prefix stand before it?
  std::string_view si;        // numerator of the same kind
  std::string_view si_below{};
};

constexpr double inch = 0.0254, pound = 0.45359237, standard_gravity = 9.80665;
constexpr double turn = 2.0 * std::numbers::pi;

constexpr NamedUnit units[] = {
    {"m", 1.0, {0, 1, 0, 0}, true, "m"},
    {"g", 1e-3, {1, 0, 0, 0}, true, "kg"},
    {"s", 1.0, {0, 0, 1, 0}, true, "s"},
    {"rad", 1.0, {0, 0, 0, 1}, true, "rad"},
    {"N", 1.0, {1, 1, -2, 0}, true, "N"},
    {"Nm", 1.0, {1, 2, -2, 0}, true, "N m"},
    {"J", 1.0, {1, 2, -2, 0}, true, "J"},
    {"W", 1.0, {1, 2, -3, 0}, true, "W"},
    {"Pa", 1.0, {1, -1, -2, 0}, true, "Pa"},
    {"bar", 1e5, {1, -1, -2, 0}, true, "Pa"},
    {"Hz", 1.0, {0, 0, -1, 0}, true, "Hz"},
    {"deg", turn / 360.0, {0, 0, 0, 1}, false, "rad"},
    {"°", turn / 360.0, {0, 0, 0, 1}, false, "rad"},
    {"rev", turn, {0, 0, 0, 1}, false, "rad"},
    {"rpm", turn / 60.0, {0, 0, -1, 1}, false, "rad", "s"},
    {"min", 60.0, {0, 0, 1, 0}, false, "s"},
    {"h", 3600.0, {0, 0, 1, 0}, false, "s"},
    {"in", inch, {0, 1, 0, 0}, false, "m"},
    {"ft", 12.0 * inch, {0, 1, 0, 0}, false, "m"},
    {"lb", pound, {1, 0, 0, 0}, false, "kg"},
    {"lbf", pound* standard_gravity, {1, 1, -2, 0}, false, "N"},
    {"psi", pound* standard_gravity / (inch * inch), {1, -1, -2, 0}, false, "Pa"},
    {"%", 0.01, {0, 0, 0, 0}, false, "1"},
    {"1", 1.0, {0, 0, 0, 0}, false, "1"},
};

constexpr std::pair<std::string_view, double> prefixes[] = {{"", 1.0},   {"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6},
                                                            {"μ", 1e-6}, {"m", 1e-3}, {"c", 1e-2}, {"k", 1e3},
                                                            {"M", 1e6},  {"G", 1e9}};

/// A name with its prefix, and its power.
struct Part {
  const NamedUnit* unit = nullptr;
  double factor = 1.0;
  int power = 1;
  std::string_view text;  // as it was written, without its power
};

bool read_name(std::string_view name, Part& part) {
  for (const NamedUnit& unit : units)
    for (const auto& [prefix, factor] : prefixes) {
      if (!prefix.empty() && !unit.prefixes) break;
      if (name.size() != prefix.size() + unit.name.size() || !name.starts_with(prefix) || !name.ends_with(unit.name))
        continue;
      part.unit = &unit;
      part.factor = factor * unit.factor;
      return true;
    }
  return false;
}

constexpr std::string_view superscripts[] = {"⁰", "¹", "²", "³", "⁴"};

/// "^2", "^-1", "²": takes it from the front of the text.
int take_power(std::string_view& text) {
  for (int power = 1; power < 5; ++power)
    if (text.starts_with(superscripts[power])) {
      text.remove_prefix(superscripts[power].size());
      return power;
    }
  if (!text.starts_with("^")) return 1;
  const bool negative = text.size() > 1 && text[1] == '-';
  const std::size_t digit = negative ? 2 : 1;
  if (text.size() <= digit || text[digit] < '1' || text[digit] > '9') return 0;
  const int power = text[digit] - '0';
  text.remove_prefix(digit + 1);
  return negative ? -power : power;
}

std::size_t name_end(std::string_view text) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const std::string_view rest = text.substr(end);
    if (std::string_view(" \t*/^()[]").find(rest.front()) != std::string_view::npos || rest.starts_with("·")) break;
    if (end > 0 && std::ranges::any_of(superscripts, [&](auto sign) { return rest.starts_with(sign); })) break;
  }
  return end;
}

/// "N m/rad" into its names; the one that is no unit in `unknown`.
std::optional<std::vector<Part>> split(std::string_view text, std::string_view* unknown = nullptr) {
  std::vector<Part> parts;
  int sign = 1;
  bool needs_name = true;
  while (!text.empty()) {
    const bool product = text.starts_with("·");
    if (text.front() == ' ' || text.front() == '\t' || product || text.front() == '*') {
      text.remove_prefix(product ? std::string_view("·").size() : 1);
      continue;
    }
    if (text.front() == '/') {
      if (needs_name) return std::nullopt;
      sign = -1, needs_name = true;
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = name_end(text);
    Part part;
    part.text = text.substr(0, end);
    if (!read_name(part.text, part)) {
      if (unknown) *unknown = part.text;
      return std::nullopt;
    }
    text.remove_prefix(end);
    const int power = take_power(text);
    if (power == 0) return std::nullopt;
    part.power = sign * power;
    sign = 1, needs_name = false;
    parts.push_back(part);
  }
  if (needs_name) return std::nullopt;
  return parts;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

/// "°", "µ" and "%" are in names of units as well; powers and the point of a product end them.
bool is_in_unit_name(std::string_view rest) {
  const bool ends =
      rest.starts_with("·") || std::ranges::any_of(superscripts, [&](auto s) { return rest.starts_with(s); });
  return is_name_character(rest.front()) || rest.front() == '%' ||
         (static_cast<unsigned char>(rest.front()) >= 0x80 && !ends);
}

/// The end of a unit name at `at`, with its power; `at` if there is none.
std::size_t unit_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_in_unit_name(text.substr(end))) ++end;
  Part part;
  if (end == at || !read_name(text.substr(at, end - at), part) || part.unit->name == "1") return at;
  if (end < text.size() && (text[end] == '.' || text[end] == '\'' || text[end] == '(')) return at;
  std::string_view rest = text.substr(end);
  const std::size_t before = rest.size();
  if (take_power(rest) == 0) return at;
  return end + before - rest.size();
}

std::string power_text(const std::string& name, int power) {
  return power == 1 ? name : fmt::format("{}^{}", name, power);
}

}  // namespace

std::optional<Unit> find_unit(std::string_view text) {
  const std::optional<std::vector<Part>> parts = split(text);
  if (!parts) return std::nullopt;
  Unit unit;
  for (const Part& part : *parts) {
    unit.factor *= std::pow(part.factor, part.power);
    for (std::size_t i = 0; i < unit.powers.size(); ++i) unit.powers[i] += part.power * part.unit->powers[i];
  }
  return unit;
}

std::string si_text(std::string_view text) {
  const std::optional<std::vector<Part>> parts = split(text);
  if (!parts) return std::string(text);
  if (std::ranges::all_of(*parts, [](const Part& part) { return part.factor == 1.0; })) return std::string(text);
  std::vector<std::string> above, below;
  for (const Part& part : *parts) {
    const bool up = part.power > 0;
    (up ? above : below).push_back(power_text(std::string(part.unit->si), std::abs(part.power)));
    if (!part.unit->si_below.empty())
      (up ? below : above).push_back(power_text(std::string(part.unit->si_below), std::abs(part.power)));
  }
  std::string result = above.empty() ? "1" : fmt::format("{}", fmt::join(above, " "));
  for (const std::string& name : below) result += "/" + name;
  return result;
}

std::string unit_help(std::string_view text) {
  std::string_view unknown = text;
  split(text, &unknown);
  std::vector<std::string> names;
  for (const NamedUnit& unit : units)
    for (const auto& [prefix, factor] : prefixes)
      if (prefix.empty() || unit.prefixes) names.push_back(std::string(prefix) + std::string(unit.name));
  const std::string nearest = nearest_name(unknown, names);
  return nearest.empty() ? "units are written like \"mm\", \"deg\", \"N m/rad\", \"kg/m^3\""
                         : fmt::format("did you mean \"{}\"?", nearest);
}

std::size_t unit_length(std::string_view text) {
  std::size_t length = unit_end(text, 0);
  while (length > 0) {
    std::size_t next = length;
    if (next < text.size() && text[next] == '/')
      ++next;
    else
      while (next < text.size() && text[next] == ' ') ++next;
    const std::size_t end = next == length ? next : unit_end(text, next);
    if (end == next) break;
    length = end;
  }
  return length;
}

std::optional<std::string_view> unit_of_quantity(std::string_view formula) {
  const auto trimmed = [](std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  };
  formula = trimmed(formula);
  while (formula.starts_with("-") || formula.starts_with("+")) formula = trimmed(formula.substr(1));
  if (formula.ends_with("]")) {
    const std::size_t open = formula.rfind('[');
    if (open == std::string_view::npos) return std::nullopt;
    const std::string_view value = trimmed(formula.substr(0, open));
    const bool number = value.find_first_not_of("0123456789.eE") == std::string_view::npos;
    int depth = 0;
    bool enclosed = value.starts_with("(") && value.ends_with(")");
    for (std::size_t i = 0; i < value.size() && enclosed; ++i) {
      depth += value[i] == '(' ? 1 : value[i] == ')' ? -1 : 0;
      enclosed = depth > 0 || i + 1 == value.size();
    }
    if (!number && !enclosed) return std::nullopt;
    return formula.substr(open + 1, formula.size() - open - 2);
  }
  std::size_t end = formula.find_first_not_of("0123456789.");
  if (end == 0 || end == std::string_view::npos) return std::nullopt;
  if ((formula[end] == 'e' || formula[end] == 'E') && end + 1 < formula.size()) {
    const std::size_t digits = formula[end + 1] == '-' || formula[end + 1] == '+' ? end + 2 : end + 1;
    const std::size_t after = formula.find_first_not_of("0123456789", digits);
    if (after != digits) end = std::min(after, formula.size());
  }
  const std::string_view unit = trimmed(formula.substr(end));
  if (unit.empty() || unit_length(unit) != unit.size()) return std::nullopt;
  return unit;
}

}  // namespace maggi::expression
