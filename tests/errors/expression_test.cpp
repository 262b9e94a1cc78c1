// Every message about a formula, with its column, as the user reads it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "maggi/error.hpp"
#include "support/expression.hpp"

namespace maggi::expression {
namespace {

using Reader = Id (*)(std::string_view, Graph&, const Scope&, const Where&);

std::string message(Reader read, std::string_view text, const Where& where = {"m.toml", 4, 10}) {
  support::World world{"x", "y", "x'", "crank.phi", "omega", "t"};
  try {
    read(text, world.graph, world.scope, where);
    return "accepted";
  } catch (const Error& error) { return error.what(); }
}

struct Case {
  std::string text, message;
};

TEST(FormulaErrors, Formula) {
  const Case table[] = {
      // names
      {"x + omga", R"~(m.toml:4:14: no variable or parameter is named "omga" (did you mean "omega"?))~"},
      {"x''", R"~(m.toml:4:10: no variable or parameter is named "x''" (did you mean "x'"?))~"},
      {"crank.fi", R"~(m.toml:4:10: no variable or parameter is named "crank.fi" (did you mean "crank.phi"?))~"},
      {"e^x", R"~(m.toml:4:10: no variable or parameter is named "e" (write exp(x) for the exponential function))~"},
      {"2*crank.", R"~(m.toml:4:12: a name is missing after "crank.")~"},
      // functions
      {"2*sinn(x)", R"~(m.toml:4:12: no function is named "sinn" (did you mean "sin"?))~"},
      {"arctan(x)", R"~(m.toml:4:10: no function is named "arctan" (did you mean "atan"?))~"},
      {"atan2(x)", R"~(m.toml:4:10: atan2 takes 2 arguments, here 1 (write atan2(y, x)))~"},
      {"sin(x, y)", R"~(m.toml:4:10: sin takes 1 argument, here 2 (write sin(x)))~"},
      {"sin()", R"~(m.toml:4:10: sin takes 1 argument, here 0 (write sin(x)))~"},
      {"if(x < 0, 1)", R"~(m.toml:4:10: if takes 3 arguments, here 2 (write if(condition, then, otherwise)))~"},
      {"sin x", R"~(m.toml:4:10: sin is a function and needs parentheses (write sin(x)))~"},
      // numbers
      {"1.2.3", R"~(m.toml:4:10: "1.2.3" is not a number (it has more than one decimal point))~"},
      {"x + .", R"~(m.toml:4:14: "." is not a number)~"},
      {"1e", R"~(m.toml:4:10: "1e" is not a number (an exponent needs digits, as in 1e-3))~"},
      {"1e5.5", R"~(m.toml:4:10: "1e5." is not a number (an exponent is a whole number))~"},
      {"x*1e999", R"~(m.toml:4:12: the number "1e999" is too large (the largest is 1.8e308))~"},
      {"1e-999", R"~(m.toml:4:10: the number "1e-999" is too small (write 0))~"},
      {"1,5*x", R"~(m.toml:4:11: "," stands outside the arguments of a function (write a decimal point))~"},
      // operators
      {"2x", R"~(m.toml:4:11: an operator is missing between "2" and "x" (write 2*x))~"},
      {"2 (x)", R"~(m.toml:4:12: an operator is missing between "2" and "(x)" (write 2*(x)))~"},
      {"x y", R"~(m.toml:4:12: an operator is missing between "x" and "y" (write x*y))~"},
      {"x(y + 1)", R"~(m.toml:4:11: an operator is missing between "x" and "(y + 1)" (write x*(y + 1)))~"},
      {"(x)(y)", R"~(m.toml:4:13: an operator is missing between "(x)" and "(y)" (write (x)*(y)))~"},
      {"(x + y + t + omega)(x + y + t)",
       R"~(m.toml:4:29: an operator is missing before "(x + y + t)" (write * to multiply))~"},
      {"x**2", R"~(m.toml:4:11: there is no operator "**" (write ^ for a power))~"},
      {"x + * y", R"~(m.toml:4:14: "*" stands where a number, a name or "(" is expected)~"},
      {"x +", R"~(m.toml:4:13: the formula ends too early (a number, a name or "(" is missing))~"},
      {"x = 1", R"~(m.toml:4:12: "=" stands inside a formula (write == to compare))~"},
      {"x => 1", R"~(m.toml:4:12: "=" stands inside a formula (write >=))~"},
      {"x =< 1", R"~(m.toml:4:12: "=" stands inside a formula (write <=))~"},
      {"0 < x < 1", R"~(m.toml:4:16: a second comparison without parentheses (write (a < b)*(b < c) for a < b < c))~"},
      // parentheses
      {"2*(x + 1", R"~(m.toml:4:12: this "(" is never closed)~"},
      {"sin(x", R"~(m.toml:4:13: this "(" is never closed)~"},
      {"x + 1)", R"~(m.toml:4:15: this ")" has no "(")~"},
      {"x*()", R"~(m.toml:4:12: nothing stands between "(" and ")")~"},
      // primes
      {"(x + y)'", R"~(m.toml:4:17: "'" must follow a name (' stands for d/dt of a coordinate, as in x'))~"},
      {"2'", R"~(m.toml:4:11: "'" must follow a name (' stands for d/dt of a coordinate, as in x'))~"},
      {"sin'(x)", R"~(m.toml:4:13: "'" must follow a name (' stands for d/dt of a coordinate, as in x'))~"},
      {"'x", R"~(m.toml:4:10: "'" must follow a name (' stands for d/dt of a coordinate, as in x'))~"},
      // characters
      {"", R"~(m.toml:4:10: the formula is empty)~"},
      {"  ", R"~(m.toml:4:10: the formula is empty)~"},
      {"x $ y", R"~(m.toml:4:12: the character "$" has no meaning in a formula)~"},
      {"x − 1", R"~(m.toml:4:12: the character "−" has no meaning in a formula (write -))~"},
      {"2·x + é", R"~(m.toml:4:11: the character "·" has no meaning in a formula (write *))~"},
      {"x×y", R"~(m.toml:4:11: the character "×" has no meaning in a formula (write *))~"},
      {"x²", R"~(m.toml:4:11: the character "²" has no meaning in a formula (write ^2))~"},
      {"x’", R"~(m.toml:4:11: the character "’" has no meaning in a formula (write '))~"},
      {"2*π", R"~(m.toml:4:12: the character "π" has no meaning in a formula (write pi))~"},
      {"größe",
       R"~(m.toml:4:10: no variable or parameter is named "gr" (valid here: pi, crank.phi, omega, t, x, x' and y))~"},
      {"x & y", R"~(m.toml:4:12: the character "&" has no meaning in a formula (write (a < b)*(c < d) for "and"))~"},
      {"!x", R"~(m.toml:4:10: the character "!" has no meaning in a formula (write != for "not equal"))~"},
      {"x[1]", R"~(m.toml:4:11: the character "[" has no meaning in a formula (write ())~"},
      {"x\xff", R"~(m.toml:4:11: the byte 0xff is not UTF-8 text (save the file as UTF-8))~"},
      {"x\x01", R"~(m.toml:4:11: the character U+0001 has no meaning in a formula)~"},
      {"x + é",
       R"~(m.toml:4:14: the character "é" has no meaning in a formula (names are made of a-z, A-Z, 0-9 and _))~"},
  };
  for (const Case& c : table) EXPECT_EQ(message(parse, c.text), c.message) << c.text;
}

TEST(FormulaErrors, Equation) {
  const Case table[] = {
      {"x = y = 1", R"~(m.toml:4:16: a second "=" in one equation (write two equations))~"},
      {"x == y", R"~(m.toml:4:12: "==" compares and does not state an equation (write =))~"},
      {"x < y", R"~(m.toml:4:12: "<" does not state an equation (write left = right))~"},
      {"x =", R"~(m.toml:4:13: the formula ends too early (a number, a name or "(" is missing))~"},
      {"= x", R"~(m.toml:4:10: "=" stands where a number, a name or "(" is expected)~"},
      {"x => y", R"~(m.toml:4:12: "=" stands inside a formula (write >=))~"},
      {"x + (y = 1)", R"~(m.toml:4:17: "=" stands inside a formula (write == to compare))~"},
      {"x = 2y", R"~(m.toml:4:15: an operator is missing between "2" and "y" (write 2*y))~"},
  };
  for (const Case& c : table) EXPECT_EQ(message(parse_equation, c.text), c.message) << c.text;
}

TEST(FormulaErrors, Limits) {
  const std::string deep = std::string(300, '(') + "x" + std::string(300, ')');
  EXPECT_EQ(message(parse, deep), "m.toml:4:210: the formula is nested deeper than 200 levels (split it into several)");
  EXPECT_EQ(message(parse, std::string(100'001, 'x')),
            "m.toml:4:10: the formula has 100001 characters, more than 100000 (split it into several)");
}

/// Columns count characters, as editors do; a text over several lines counts its lines.
TEST(FormulaErrors, Place) {
  EXPECT_EQ(message(parse, "x\n + y\n + * 2"), R"~(m.toml:6:4: "*" stands where a number, a name or "(" is expected)~");
  EXPECT_EQ(message(parse, "x + $", {"m.toml", 4, 0}), R"~(m.toml:4: the character "$" has no meaning in a formula)~");
  EXPECT_EQ(message(parse, "x + $", {}), R"~(the character "$" has no meaning in a formula)~");
}

}  // namespace
}  // namespace maggi::expression
