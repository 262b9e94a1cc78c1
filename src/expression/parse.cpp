#include "maggi/expert/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>

#include "base/names.hpp"
#include "expression/stray.hpp"
#include "expression/units.hpp"
#include "expression/words.hpp"

namespace maggi::expression {

namespace {
// ASCII only and independent of the locale
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_in_language(char c) {
  return is_digit(c) || is_letter(c) || is_space(c) || std::string_view("+-*/^(),.'<>=").find(c) != std::string::npos;
}

std::string quote(std::string_view text) {
  constexpr std::size_t readable = 40;
  return text.size() <= readable ? fmt::format("\"{}\"", text) : fmt::format("\"{}...\"", text.substr(0, readable));
}

class Parser {
 public:
  Parser(std::string_view text, Graph& graph, const Scope& scope, const Where& where)
      : text_(text), graph_(graph), scope_(scope), where_(where) {}

  Id formula();
  Id equation();

 private:
  Id comparison();
  Id sum();
  Id product();
  Id factor();
  Id power();
  Id atom();
  Id number();
  Id in_unit(Id value, std::size_t begin, bool in_brackets);
  void check_unit_names(std::size_t begin, std::string_view text) const;
  void fail_at_unit();
  bool take_exponent(std::size_t begin);
  Id name();
  Id table(std::size_t at);
  Id call(std::string_view name, std::size_t at);
  std::vector<Id> arguments(std::size_t open);
  void close(std::size_t open);

  char peek();  // the next character that is not a space; '\0' at the end
  bool starts(std::string_view token) { return peek(), text_.substr(at_).starts_with(token); }
  bool take(std::string_view token);
  std::string_view take_comparison();
  std::string_view take_while(bool (*belongs)(char));
  std::string_view token(std::size_t at) const;

  void check_start();
  [[noreturn]] void fail(std::size_t at, std::string cause, std::string help = "") const;
  [[noreturn]] void fail_without_operand();
  [[noreturn]] void fail_after_operand();
  [[noreturn]] void fail_without_operator();
  [[noreturn]] void fail_at_equals(std::string help);
  [[noreturn]] void fail_at_name(std::string_view name, std::size_t at);
  Where place(std::size_t at) const;

  std::string_view text_;
  Graph& graph_;
  const Scope& scope_;
  const Where& where_;
  std::size_t at_ = 0;     // byte offset of the next character
  std::size_t begin_ = 0;  // of the latest atom
  int depth_ = 0;
};

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
  } else if (!in_brackets && is_letter(next)) {
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
  if (!scope_.has(std::string(word)) && !is_reserved(word) && help.starts_with("did you mean"))
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
}  // namespace

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

Id parse(std::string_view text, Graph& graph, const Scope& scope, const Where& where) {
  return Parser(text, graph, scope, where).formula();
}

Id parse_equation(std::string_view text, Graph& graph, const Scope& scope, const Where& where) {
  return Parser(text, graph, scope, where).equation();
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
