#include "maggi/expert/parse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "expression/characters.hpp"
#include "expression/units.hpp"
#include "expression/words.hpp"

namespace maggi::expression {

void Scope::declare(const std::string& name, Id id) { entries_.insert_or_assign(name, Entry{id, "", ""}); }

void Scope::forbid(const std::string& name, const std::string& reason, const std::string& help) {
  entries_.insert_or_assign(name, Entry{0, reason, help});
}

bool Scope::has(const std::string& name) const { return entries_.contains(name); }

const Table* Scope::table(const std::string& file) const {
  const auto found = tables_.find(file);
  return found == tables_.end() ? nullptr : found->second.get();
}

const Id* Scope::known(const std::string& name) const {
  const auto found = entries_.find(name);
  return found != entries_.end() && found->second.reason.empty() ? &found->second.id : nullptr;
}

Id Scope::find(const std::string& name, const Where& where) const {
  if (const Id* id = known(name); id != nullptr) return *id;
  if (const auto found = entries_.find(name); found != entries_.end())
    throw Error(Errc::model, where, found->second.reason, found->second.help);
  std::vector<std::string> names{"pi"};
  for (const auto& [known, entry] : entries_)
    if (entry.reason.empty()) names.push_back(known);
  throw Error(Errc::model, where, fmt::format("no variable or parameter is named {}", quote(name)),
              name == "e" ? "write exp(x) for the exponential function" : suggest_name(name, names));
}

bool is_unit_constant(std::string_view name) { return name == "deg" || name == "rpm"; }

bool is_reserved(std::string_view name) { return name == "pi" || name == "t" || find_function(name) != nullptr; }

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::vector<Mention> mentions(std::string_view text) {
  const auto letter = [&](std::size_t i) { return i < text.size() && is_letter(text[i]); };
  const auto digit = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  const auto dot = [&](std::size_t i) { return i < text.size() && text[i] == '.'; };
  std::vector<Mention> result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (letter(i)) {
      while (letter(i) || digit(i) || (dot(i) && letter(i + 1))) ++i;
      result.push_back({std::string(text.substr(begin, i - begin)), static_cast<int>(begin)});
    } else if (text[i] == '"') {  // the name of a table
      i = std::min(text.find('"', i + 1), text.size() - 1) + 1;
    } else if (digit(i)) {  // 1.5e-3 has no name in it, nor has its unit
      while (digit(i) || dot(i)) ++i;
      if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        const bool sign = i + 1 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+');
        if (digit(i + (sign ? 2 : 1))) i += sign ? 2 : 1;
        while (digit(i)) ++i;
      }
      const std::size_t unit = std::min(text.find_first_not_of(" \t\n\r", i), text.size());
      if (const std::size_t length = unit_length(text.substr(unit)); length > 0) i = unit + length;
      while (digit(i) || (letter(i) && i > begin && text[i - 1] != ' ')) ++i;
    } else if (text[i] == '[') {  // a unit
      i = std::min(text.find(']', i), text.size() - 1) + 1;
    } else {
      ++i;
    }
  }
  return result;
}

}  // namespace maggi::expression
