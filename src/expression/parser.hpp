#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maggi/expert/parse.hpp"

namespace maggi::expression {

/// A formula by recursive descent: a function for each level of precedence, a fault where the text departs from them.
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

}  // namespace maggi::expression
