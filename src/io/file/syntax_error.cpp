#include "io/file/syntax_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace maggi::io {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

/// Cut to what is readable in a message, at a whole character; control characters become spaces.
std::string shorten(std::string_view text) {
  constexpr std::size_t readable = 40;
  std::size_t end = std::min(text.size(), readable);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  std::string result(text.substr(0, end));
  for (char& c : result)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  return end < text.size() ? result + "..." : result;
}

/// What went wrong, and all that can be seen around the place.
struct Fault {
  const SourceText& source;
  std::string_view description;  ///< of the parser: "Error while parsing value: could not determine value type"
  int line, column;
  std::string_view before, rest;  ///< of the line, around the place

  bool says(std::string_view part) const { return has(description, part); }
  bool in(std::string_view what) const { return says(fmt::format("while parsing {}", what)); }

  /// In single quotes in the description: "cannot redefine existing integer 'a'".
  std::string quoted() const {
    const std::size_t first = description.find('\'');
    const std::size_t last = description.rfind('\'');
    return first < last ? std::string(description.substr(first + 1, last - first - 1)) : std::string();
  }
  /// The word at the place.
  std::string word() const {
    const std::string_view text = rest.substr(0, rest.find_first_of(" \t,}]="));
    return shorten(text.empty() ? rest.substr(0, 1) : text);
  }
  bool inside_braces() const { return std::ranges::count(before, '{') > std::ranges::count(before, '}'); }
  /// The name before the last "=" before the place, and the whole value after it.
  std::string_view name() const {
    const std::string_view left = trim(before.substr(0, before.rfind('=')));
    const std::size_t cut = left.find_last_of(" \t{,");
    return cut == std::string_view::npos ? left : left.substr(cut + 1);
  }
  std::string_view value() const {
    const std::size_t equals = before.rfind('=');
    const std::string_view all = source.line(line).substr(equals == std::string_view::npos ? 0 : equals + 1);
    return trim(all.substr(0, all.find_first_of(inside_braces() ? ",}#" : "#")));
  }
  bool in_list() const { return has(before.substr(std::min(before.rfind('='), before.size())), "["); }

  Error error(std::string what, std::string help = "") const {
    return {Errc::model, source.where(line, column), std::move(what), std::move(help)};
  }
};

std::string quoted_value(std::string_view text) {
  return has(text, "\"") ? fmt::format("'{}'", text) : fmt::format("\"{}\"", text);
}

bool has_curly_quotes(std::string_view text) {
  static constexpr std::array<std::string_view, 6> curly{"“", "”", "„", "‘", "’", "«"};
  return std::ranges::any_of(curly, [&](std::string_view quote) { return text.starts_with(quote); });
}

Error not_a_value(const Fault& fault) {
  if (has_curly_quotes(fault.rest))
    return fault.error("these quotes are for print, not for files", "use the straight ones: \"...\"");
  if (fault.in_list())
    return fault.error(fmt::format("\"{}\" is neither a number nor a text in quotes", fault.word()),
                       "formulas go in quotes: [\"m\", 0]");
  const std::string value = shorten(fault.value());
  if (value.empty()) return fault.error("a value is missing after \"=\"", "a line reads name = value");
  return fault.error(fmt::format("\"{}\" is neither a number nor a text in quotes", value),
                     fmt::format("formulas and texts go in quotes: {} = {}", fault.name(), quoted_value(value)));
}

Error bad_number(const Fault& fault) {
  if (fault.says("leading zeroes"))
    return fault.error("a number cannot begin with 0", "write 7 instead of 007, 0.7 instead of 00.7");
  if (fault.says("representable") || fault.says("could not be interpreted"))
    return fault.error(fmt::format("the number {} is too large", fault.quoted()),
                       "beyond 18 digits write it with an exponent, as 1.5e20; the largest is 1.8e308");
  const bool after_digit = !fault.before.empty() && is_digit(fault.before.back());
  if (fault.rest.starts_with('.') && !after_digit)
    return fault.error("a number needs a digit before the point", "write 0.5, not .5");
  if (trim(fault.before).ends_with('.'))
    return fault.error("a number needs a digit after the point", "write 5.0 or 5, not 5.");
  if (trim(fault.before).ends_with('e') || trim(fault.before).ends_with('E'))
    return fault.error("the exponent of the number is missing", "write 1e-3");
  return not_a_value(fault);
}

Error decimal_comma(const Fault& fault, std::string_view number) {
  std::string better(number);
  std::ranges::replace(better, ',', '.');
  return fault.error("a number has a decimal point, not a comma", fmt::format("write {}", better));
}

/// The digits around a comma at the end of `before`: "0,3" in "{ start = 0,3".
std::string_view number_with_comma(std::string_view before) {
  const auto digits = [](std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && is_digit(text[text.size() - 1 - n])) ++n;
    return n;
  };
  const std::string_view text = trim(before);
  const std::size_t right = digits(text);
  if (right == 0 || right >= text.size() || text[text.size() - 1 - right] != ',') return {};
  const std::size_t left = digits(text.substr(0, text.size() - 1 - right));
  return left == 0 ? std::string_view{} : text.substr(text.size() - 1 - right - left);
}

Error rest_after_value(const Fault& fault) {
  if (fault.rest.starts_with(',') && fault.rest.size() > 1 && is_digit(fault.rest[1]) && !fault.before.empty() &&
      is_digit(fault.before.back()))
    return decimal_comma(fault, shorten(fault.value()));
  if (fault.rest.starts_with("//") || fault.rest.starts_with('%') || fault.rest.starts_with(';'))
    return fault.error(
        fmt::format("\"{}\" does not begin a comment", fault.rest.starts_with("//") ? "//" : fault.word()),
        "comments begin with #");
  const bool after_number = !trim(fault.before).empty() && is_digit(trim(fault.before).back());
  if (after_number && !fault.rest.empty() && std::isalpha(static_cast<unsigned char>(fault.rest.front())) &&
      !has(fault.rest, "="))
    return fault.error(
        fmt::format("\"{}\" after the number is not understood", fault.word()),
        fmt::format("a unit is written {} = {{ value = {}, unit = \"{}\" }}, a formula in quotes", fault.name(),
                    trim(fault.before.substr(fault.before.rfind('=') + 1)), shorten(trim(fault.rest))));
  if (after_number && !fault.rest.empty() && has("+-*/^(", fault.rest.substr(0, 1))) return not_a_value(fault);
  if (has(fault.rest, "="))
    return fault.error(fmt::format("\"{}\" begins a second entry in the same line", fault.word()),
                       "one line, one name = value; several go into braces: { a = 1, b = 2 }");
  return fault.error(fmt::format("\"{}\" after the value is not understood", fault.word()),
                     "a text ends at its closing quote; comments begin with #");
}

Error bad_name(const Fault& fault) {
  if (fault.rest.starts_with('\'')) {
    const std::string name(trim(fault.before));
    return fault.error("a name cannot contain \"'\"",
                       fmt::format("the speed at the start is written {} = {{ speed = ... }}", name));
  }
  if (const std::string_view number = number_with_comma(fault.before); !number.empty())
    return decimal_comma(fault, number);
  if (trim(fault.rest).empty() || fault.rest.starts_with('#'))
    return fault.error("\"=\" and a value are missing after the name", "a line reads name = value");
  return fault.error(
      fmt::format("expected \"=\" after the name, here \"{}\"", fault.word()),
      fault.rest.starts_with(':') ? "write name = value" : "a line reads name = value; names have no spaces");
}

Error bad_line(const Fault& fault) {
  if (fault.rest.starts_with("//") || fault.rest.starts_with('%') || fault.rest.starts_with(';'))
    return fault.error(
        fmt::format("a line cannot begin with \"{}\"", fault.rest.starts_with("//") ? "//" : fault.word()),
        "comments begin with #");
  return fault.error(fmt::format("a line cannot begin with \"{}\"", fault.word()),
                     "it begins with a name of letters, digits and _, with a [table] or with a # comment");
}

Error bad_inline_table(const Fault& fault) {
  if (fault.says("dangling comma")) return fault.error("there is a comma before the closing }", "remove the comma");
  if (trim(fault.rest).empty() || fault.rest.starts_with('#'))
    return fault.error("the closing } is missing in this line",
                       "braces end on the line where they begin; for more room write a section, as [constraint.guide]");
  return fault.error(fmt::format("a comma is missing before \"{}\"", fault.word()), "write { a = 1, b = 2 }");
}

Error twice(const Fault& fault) {
  if (fault.in("key-value pair") && fault.says("existing") && !fault.says("dotted"))
    return fault.error(fmt::format("\"{}\" is given twice", fault.quoted()), "keep one of them");
  if (fault.says("cannot redefine existing table '") && !fault.says(" as "))
    return fault.error(fmt::format("[{}] is there twice", fault.quoted()),
                       fmt::format("put all its lines under one [{}]", fault.quoted()));
  return fault.error("this adds to something that is already complete", "give each name once, in one place");
}

Error bad_string(const Fault& fault) {
  const auto odd = [&](std::string_view quotes) {
    bool result = false;
    const std::string_view all = fault.source.text();
    for (std::size_t at = all.find(quotes); at != all.npos; at = all.find(quotes, at + quotes.size())) result = !result;
    return result;
  };
  if (fault.says("end-of-file") && (odd("\"\"\"") || odd("'''")))
    return fault.error("the file ends inside a text over several lines", "close it with \"\"\"");
  if ((fault.says("escape") && !fault.says("unescaped")) || fault.says("hex digit") || fault.says("scalar"))
    return fault.error("a backslash in a text has a special meaning",
                       "write \\\\ for a backslash, or use single quotes: '...'");
  if (trim(fault.rest).empty())
    return fault.error("the closing quote is missing in this line",
                       "a text over several lines goes between \"\"\" and \"\"\"");
  return fault.error("the text contains a control character", "remove it, or write it as an escape such as \\t");
}

/// Headers are reported one line late when what follows them is read before they are judged.
int line_of_header(const SourceText& source, int line) {
  for (int l = line; l >= 1 && l >= line - 2; --l)
    if (trim(source.line(l)).starts_with('[')) return l;
  return line;
}

}  // namespace

Error syntax_error(const SourceText& source, std::string_view description, int line, int column) {
  if (has(description, "table header: cannot")) line = line_of_header(source, line);
  const Fault fault{source, description, line, column, source.before(line, column), source.from(line, column)};

  if (fault.says("utf-8")) return fault.error("this is not a text in UTF-8", "save the file with the encoding UTF-8");
  if (fault.says("cannot redefine") || fault.says("cannot insert")) return twice(fault);
  if (fault.in("string")) return bad_string(fault);
  if (fault.in("inline table")) return bad_inline_table(fault);
  if (fault.in("array") && fault.rest.starts_with(','))
    return fault.error("a value is missing before \",\"", "write [1, 2]");
  if (fault.in("array"))
    return trim(fault.rest).empty()
               ? fault.error("the closing ] of the list is missing", "write [1, 2]")
               : fault.error(fmt::format("a comma is missing before \"{}\"", fault.word()), "write [1, 2]");
  if (fault.in("table header")) {
    if (fault.says("expected ']'")) return fault.error("the closing ] of the table name is missing", "write [energy]");
    if (fault.says("blank")) return fault.error("the table has no name", "write [energy]");
    return fault.error(fmt::format("\"{}\" after the table name is not understood", fault.word()),
                       "what belongs to a table stands in the lines below it");
  }
  if (fault.says("expected '='")) return bad_name(fault);
  if (fault.says("expected value")) return fault.error("a value is missing after \"=\"", "a line reads name = value");
  if (fault.says("expected a comment or whitespace")) return rest_after_value(fault);
  if (fault.in("floating-point") || fault.says("integer: ")) return bad_number(fault);
  if (fault.in("key-value pair") && fault.says("end-of-file"))
    return has(fault.before, "=") ? not_a_value(fault) : bad_name(fault);
  if (fault.in("value") || fault.in("boolean") || fault.in("date") || fault.in("time")) return not_a_value(fault);
  if (fault.in("root table")) return bad_line(fault);

  const std::size_t colon = description.find(": ");  // the parser's own words, without "Error while parsing ...:"
  return fault.error(std::string(colon == std::string_view::npos ? description : description.substr(colon + 2)),
                     "the file format is TOML: https://toml.io");
}

}  // namespace maggi::io
