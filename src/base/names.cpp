#include "base/names.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace maggi {

namespace {
/// Levenshtein distance with transposition of neighbours, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}
}  // namespace

std::string nearest_name(std::string_view misspelt, std::span<const std::string> names) {
  std::string best;
  // a third of the letters may be wrong, one in any case; but another single letter is another name
  std::size_t best_distance = (misspelt.size() == 1 ? 0 : std::max<std::size_t>(1, misspelt.size() / 3)) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(misspelt, name);
    if (distance < best_distance) best = name, best_distance = distance;
  }
  return best;
}

std::string suggest_name(std::string_view misspelt, std::span<const std::string> names) {
  if (const std::string nearest = nearest_name(misspelt, names); !nearest.empty())
    return "did you mean \"" + nearest + "\"?";
  constexpr std::size_t readable = 30;
  if (names.empty() || names.size() > readable) return "";
  return "valid here: " + list_names(names, false);
}

std::string list_names(std::span<const std::string> names, bool quote) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += quote ? "\"" + names[i] + "\"" : names[i];
  }
  return text;
}

}  // namespace maggi
