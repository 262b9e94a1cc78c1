#include "expression/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>

#include "expression/characters.hpp"
#include "expression/units.hpp"
#include "expression/words.hpp"

namespace maggi::expression {

Id Parser::formula() {
  check_start();
  const Id result = comparison();
  if (peek() != '\0' || at_ < text_.size()) fail_after_operand();
  return result;
}

Id Parser::equation() {
  check_start();
  const auto side = [this] {
    const Id result = sum();
    const std::size_t at = at_;
    if (const std::string_view sign = take_comparison(); sign == "==")
      fail(at, "\"==\" compares and does not state an equation", "write =");
    else if (!sign.empty())
      fail(at, fmt::format("\"{}\" does not state an equation", sign), "write left = right");
    return result;
  };
  const Id left = side();
  if (peek() != '=') return at_ < text_.size() ? (fail_after_operand(), left) : left;
  if (starts("=<") || starts("=>")) fail_after_operand();
  ++at_;
  const Id right = side();
  if (peek() == '=') fail(at_, "a second \"=\" in one equation", "write two equations");
  if (at_ < text_.size()) fail_after_operand();
  return graph_.subtract(left, right);
}

void Parser::check_start() {
  if (text_.size() > max_length)
    throw Error(Errc::model, where_,
                fmt::format("the formula has {} characters, more than {}", text_.size(), max_length),
                "split it into several");
  if (peek() == '\0' && at_ == text_.size()) fail(0, "the formula is empty");
}

Id Parser::comparison() {
  const Id left = sum();
  const std::string_view sign = take_comparison();
  if (sign.empty()) return left;
  const Id right = sum();
  const std::size_t at = at_;
  if (!take_comparison().empty())
    fail(at, "a second comparison without parentheses", "write (a < b)*(b < c) for a < b < c");
  if (sign == "<") return graph_.binary(Op::less, left, right);
  if (sign == "<=") return graph_.binary(Op::less_equal, left, right);
  if (sign == ">") return graph_.binary(Op::less, right, left);
  if (sign == ">=") return graph_.binary(Op::less_equal, right, left);
  return graph_.binary(sign == "==" ? Op::equal : Op::not_equal, left, right);
}

Id Parser::sum() {
  Id result = product();
  for (;;) {
    if (take("+"))
      result = graph_.add(result, product());
    else if (take("-"))
      result = graph_.subtract(result, product());
    else
      return result;
  }
}

Id Parser::product() {
  Id result = factor();
  for (;;) {
    if (starts("**")) fail(at_, "there is no operator \"**\"", "write ^ for a power");
    if (take("*"))
      result = graph_.multiply(result, factor());
    else if (take("/"))
      result = graph_.divide(result, factor());
    else
      return result;
  }
}

/// Every way to nest passes through here, so this is where depth is limited.
Id Parser::factor() {
  if (++depth_ > max_depth) {
    peek();
    fail(at_, fmt::format("the formula is nested deeper than {} levels", max_depth), "split it into several");
  }
  const Id result = take("-") ? graph_.negate(factor()) : take("+") ? factor() : power();
  --depth_;
  return result;
}

Id Parser::power() {
  const Id base = atom();
  return take("^") ? graph_.binary(Op::power, base, factor()) : base;
}

Id Parser::atom() {
  const char next = peek();
  begin_ = at_;
  if (is_digit(next) || next == '.') return number();
  if (is_letter(next)) return name();
  if (next != '(') fail_without_operand();
  const std::size_t open = at_++;
  if (peek() == ')') fail(open, "nothing stands between \"(\" and \")\"");
  const Id inner = comparison();
  close(open);
  begin_ = open;
  return in_unit(inner, open, true);
}

Id Parser::number() {
  const std::size_t begin = at_;
  const std::string_view mantissa = take_while([](char c) { return is_digit(c) || c == '.'; });
  const bool has_exponent = take_exponent(begin);
  const std::string_view literal = text_.substr(begin, at_ - begin);
  if (std::none_of(mantissa.begin(), mantissa.end(), is_digit)) fail(begin, quote(literal) + " is not a number");
  if (std::count(mantissa.begin(), mantissa.end(), '.') > 1)
    fail(begin, quote(literal) + " is not a number", "it has more than one decimal point");

  double value = 0.0;
  const auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (error == std::errc::result_out_of_range) {
    const bool small =
        has_exponent ? literal.find('-') != literal.npos : mantissa.find_first_of("123456789") > mantissa.find('.');
    fail(begin, fmt::format("the number {} is too {}", quote(literal), small ? "small" : "large"),
         small ? "write 0" : "the largest is 1.8e308");
  }
  return in_unit(graph_.constant(value), begin, false);
}

/// A quantity: 30 mm, 30 [mm], (2*l) [mm].
Id Parser::in_unit(Id value, std::size_t begin, bool in_brackets) {
  const char next = peek();
  std::string_view text;
  if (next == '[') {
    const std::size_t end = text_.find(']', at_);
    if (end == std::string_view::npos) fail(at_, "this \"[\" is never closed");
    text = text_.substr(at_ + 1, end - at_ - 1);
    if (!find_unit(text)) fail(at_, fmt::format("no unit is named {}", quote(text)), unit_help(text));
    at_ = end + 1;
  } else if (!in_brackets && (is_letter(next) || unit_length(text_.substr(at_)) > 0)) {
    text = text_.substr(at_, unit_length(text_.substr(at_)));
    if (text.empty()) return fail_at_unit(), value;
    check_unit_names(begin, text);
    at_ += text.size();
  } else {
    return value;
  }
  return graph_.multiply(value, graph_.constant(find_unit(text)->factor));
}

/// Behind a number stands a name that is no unit: is it meant as one?
void Parser::fail_at_unit() {
  const std::string_view word = token(at_);
  const std::string help = unit_help(word);
  constexpr std::size_t short_name = 2;  // of a coordinate or a parameter that is missing, as in 2xy
  const bool called = at_ + word.size() < text_.size() && text_[at_ + word.size()] == '(';
  const bool long_word = word.size() > short_name && word.find('\'') == std::string_view::npos && !called;
  if (!scope_.has(std::string(word)) && !is_reserved(word) && (long_word || help.starts_with("did you mean")))
    fail(at_, fmt::format("no unit is named {}", quote(word)), help);
}

/// A name of the model that is also a unit could be meant as a factor.
void Parser::check_unit_names(std::size_t begin, std::string_view text) const {
  for (const Mention& mention : mentions(text))
    if (scope_.has(mention.name)) {
      const std::string_view number = token(begin);
      fail(at_, fmt::format("\"{}\" is a unit and a name of the model", mention.name),
           fmt::format("write {0}*{1} for the product, {0} [{2}] for the unit", number, mention.name, text));
    }
}

/// e-3 behind a number that begins at `begin`; an e that starts a name is none.
bool Parser::take_exponent(std::size_t begin) {
  const auto at = [this](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  if (at(at_) != 'e' && at(at_) != 'E') return false;
  const bool has_sign = at(at_ + 1) == '+' || at(at_ + 1) == '-';
  const std::size_t digits = at_ + (has_sign ? 2 : 1);
  if (!is_digit(at(digits))) {
    if (!has_sign && is_letter(at(digits))) return false;
    fail(begin, quote(text_.substr(begin, digits - begin)) + " is not a number",
         "an exponent needs digits, as in 1e-3");
  }
  at_ = digits;
  take_while(is_digit);
  if (at(at_) == '.')
    fail(begin, quote(text_.substr(begin, at_ + 1 - begin)) + " is not a number", "an exponent is a whole number");
  return true;
}

Id Parser::name() {
  const std::size_t begin = at_;
  const auto word = [this] { take_while([](char c) { return is_letter(c) || is_digit(c); }); };
  word();
  while (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    if (at_ == text_.size() || !is_letter(text_[at_]))
      fail(begin, fmt::format("a name is missing after {}", quote(text_.substr(begin, at_ - begin))));
    word();
  }
  const std::string_view base = text_.substr(begin, at_ - begin);
  if (find_function(base) != nullptr) return call(base, begin);
  if (base == "pi") return graph_.constant(std::numbers::pi);
  if (base == "table" && peek() == '(') return table(begin);

  take_while([](char c) { return c == '\''; });
  const std::string full(text_.substr(begin, at_ - begin));
  if (peek() == '(') fail_at_name(full, begin);
  if (is_unit_constant(full) && !scope_.has(full)) return graph_.constant(find_unit(full)->factor);
  const Id* known = scope_.known(full);  // first: a place is not worked out for every name that is right
  return known != nullptr ? *known : scope_.find(full, place(begin));
}

/// table("lift.csv", t)
Id Parser::table(std::size_t at) {
  const std::string usage = "write table(\"lift.csv\", t)";
  take("(");
  if (!take("\"")) fail(at, "table needs the name of a file in quotes", usage);
  const std::size_t begin = at_, end = text_.find('"', at_);
  if (end == std::string_view::npos) fail(at, "the name of the table is never closed by a quote", usage);
  const std::string file(text_.substr(begin, end - begin));
  at_ = end + 1;
  if (!take(",")) fail(at, "table takes the name of a file and where to look", usage);
  const Id x = comparison();
  if (!take(")")) fail(at, "table takes two arguments", usage);
  begin_ = at;
  const Table* found = scope_.table(file);
  if (!found) fail(begin, fmt::format("the table \"{}\" is not known here", file), "");
  if (!found->problem.empty()) fail(begin, found->problem, found->help);
  return spline(graph_, *found, x);
}

Id Parser::call(std::string_view name, std::size_t at) {
  const Function& function = *find_function(name);
  if (peek() == '\'') fail_after_operand();
  if (peek() != '(')
    fail(at, fmt::format("{} is a function and needs parentheses", name), fmt::format("write {}", function.usage));
  const std::vector<Id> given = arguments(at_);
  begin_ = at;
  if (const int wanted = arity(function.op); given.size() != static_cast<std::size_t>(wanted))
    fail(at, fmt::format("{} takes {} argument{}, here {}", name, wanted, wanted == 1 ? "" : "s", given.size()),
         fmt::format("write {}", function.usage));
  if (given.size() == 1) return graph_.unary(function.op, given[0]);
  if (given.size() == 2) return graph_.binary(function.op, given[0], given[1]);
  return graph_.select(given[0], given[1], given[2]);
}

std::vector<Id> Parser::arguments(std::size_t open) {
  ++at_;
  std::vector<Id> result;
  if (take(")")) return result;
  do result.push_back(comparison());
  while (take(","));
  close(open);
  return result;
}

void Parser::close(std::size_t open) {
  if (take(")")) return;
  if (peek() == '\0' && at_ == text_.size()) fail(open, "this \"(\" is never closed");
  fail_after_operand();
}

char Parser::peek() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Parser::take(std::string_view token) {
  if (!starts(token)) return false;
  at_ += token.size();
  return true;
}

/// A single "=" is none of them.
std::string_view Parser::take_comparison() {
  for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">"})
    if (take(sign)) return sign;
  return "";
}

std::string_view Parser::take_while(bool (*belongs)(char)) {
  const std::size_t begin = at_;
  while (at_ < text_.size() && belongs(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

Id parse(std::string_view text, Graph& graph, const Scope& scope, const Where& where) {
  return Parser(text, graph, scope, where).formula();
}

Id parse_equation(std::string_view text, Graph& graph, const Scope& scope, const Where& where) {
  return Parser(text, graph, scope, where).equation();
}

}  // namespace maggi::expression
