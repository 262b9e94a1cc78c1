#include "text/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "maggi/note.hpp"
#include "maggi/text.hpp"

namespace maggi {

std::string notes_text(const std::vector<Note>& notes) {
  std::string text;
  for (const Note& note : notes) text += note.text() + "\n";
  return text;
}

}  // namespace maggi

namespace maggi::text {

std::string with_contacts(const Shape& shape, const Mode& mode) {
  const bool any = std::ranges::any_of(shape.contacts, [&](const Contact& c) { return mode.rows[c.rows[0]]; });
  return any ? " with the contacts that stick" : "";
}

std::string listed(std::span<const std::string> names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

std::string count(long number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace maggi::text
