#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "expression/characters.hpp"
#include "expression/parser.hpp"
#include "expression/stray.hpp"
#include "expression/words.hpp"

namespace maggi::expression {

namespace {

bool is_in_language(char c) {
  return is_digit(c) || is_letter(c) || is_space(c) || std::string_view("+-*/^(),.'<>=").find(c) != std::string::npos;
}

}  // namespace

std::string quote(std::string_view text) {
  constexpr std::size_t readable = 40;
  return text.size() <= readable ? fmt::format("\"{}\"", text) : fmt::format("\"{}...\"", text.substr(0, readable));
}

/// The number, name or parenthesis that starts at `at`, as far as it can be shown.
std::string_view Parser::token(std::size_t at) const {
  std::size_t end = at;
  if (text_[at] == '(') {
    for (int open = 0; end < text_.size();) {
      open += text_[end] == '(' ? 1 : text_[end] == ')' ? -1 : 0;
      ++end;
      if (open == 0) break;
    }
  } else {
    const bool number = is_digit(text_[at]) || text_[at] == '.';
    while (end < text_.size() &&
           (is_digit(text_[end]) || text_[end] == '.' || (!number && (is_letter(text_[end]) || text_[end] == '\''))))
      ++end;
  }
  return text_.substr(at, std::max<std::size_t>(end - at, 1));
}

void Parser::fail(std::size_t at, std::string cause, std::string help) const {
  throw Error(Errc::model, place(at), std::move(cause), std::move(help));
}

void Parser::fail_without_operand() {
  peek();
  if (at_ == text_.size()) fail(at_, "the formula ends too early", "a number, a name or \"(\" is missing");
  if (text_[at_] == '\'') fail_after_operand();
  if (!is_in_language(text_[at_])) {
    Advice advice = advise_on_stray(text_.substr(at_));
    fail(at_, std::move(advice.cause), std::move(advice.help));
  }
  fail(at_, fmt::format("\"{}\" stands where a number, a name or \"(\" is expected", text_[at_]));
}

/// Something stands after a complete operand that cannot continue it.
void Parser::fail_after_operand() {
  switch (const char next = peek(); next) {
    case ')': fail(at_, "this \")\" has no \"(\"");
    case '\'': fail(at_, "\"'\" must follow a name", "' stands for d/dt of a coordinate, as in x'");
    case '=':
      if (starts("=<")) fail_at_equals("write <=");
      if (starts("=>")) fail_at_equals("write >=");
      fail_at_equals("write == to compare");
    case ',': {
      const bool decimal = at_ > 0 && is_digit(text_[at_ - 1]) && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
      fail(at_, "\",\" stands outside the arguments of a function", decimal ? "write a decimal point" : "");
    }
    default:
      if (is_letter(next) || is_digit(next) || next == '.' || next == '(') fail_without_operator();
      fail_without_operand();
  }
}

void Parser::fail_at_equals(std::string help) { fail(at_, "\"=\" stands inside a formula", std::move(help)); }

void Parser::fail_without_operator() {
  const std::string_view left = token(begin_), right = token(at_);
  constexpr std::size_t readable = 24;
  if (left.size() + right.size() > readable)
    fail(at_, fmt::format("an operator is missing before {}", quote(right)), "write * to multiply");
  fail(at_, fmt::format("an operator is missing between \"{}\" and \"{}\"", left, right),
       fmt::format("write {}*{}", left, right));
}

/// name( where name is no function
void Parser::fail_at_name(std::string_view name, std::size_t at) {
  if (scope_.known(std::string(name)) != nullptr) fail_without_operator();
  const std::vector<std::string> names = function_names();
  const std::string nearest = nearest_name(name, names);
  fail(at, fmt::format("no function is named {}", quote(name)),
       nearest.empty() ? "functions: " + list_names(names, false) : fmt::format("did you mean \"{}\"?", nearest));
}

/// Columns count characters; a text over several lines starts each at column 1.
Where Parser::place(std::size_t at) const {
  Where result = where_;
  std::string_view before = text_.substr(0, at);
  if (result.column > 0) {
    if (const std::size_t newline = before.rfind('\n'); newline != before.npos) {
      result.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
      result.column = 1;
      before.remove_prefix(newline + 1);
    }
    result.column += count_characters(before);
  }
  return result;
}

}  // namespace maggi::expression
