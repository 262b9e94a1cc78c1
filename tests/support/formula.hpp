#pragma once
// Random formulas that know nothing of the library: a tree, its text, and its value over any scalar type.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/largest.hpp"

namespace maggi::support {

/// Hyper-dual number: value, two first derivatives and the mixed second one, exact to rounding.
///
///     f(g) = { f, f′ g₁, f′ g₂, f″ g₁ g₂ + f′ g₁₂ }
struct HyperDual {
  double v = 0.0, d1 = 0.0, d2 = 0.0, d12 = 0.0;

  HyperDual chain(double f, double df, double ddf) const { return {f, df * d1, df * d2, ddf * d1 * d2 + df * d12}; }
};
inline HyperDual operator+(HyperDual a, HyperDual b) { return {a.v + b.v, a.d1 + b.d1, a.d2 + b.d2, a.d12 + b.d12}; }
inline HyperDual operator-(HyperDual a) { return {-a.v, -a.d1, -a.d2, -a.d12}; }
inline HyperDual operator-(HyperDual a, HyperDual b) { return a + -b; }
inline HyperDual operator*(HyperDual a, HyperDual b) {
  return {a.v * b.v, a.d1 * b.v + a.v * b.d1, a.d2 * b.v + a.v * b.d2,
          a.d12 * b.v + a.d1 * b.d2 + a.d2 * b.d1 + a.v * b.d12};
}
inline HyperDual reciprocal(HyperDual a) {
  const double r = 1.0 / a.v;
  return a.chain(r, -r * r, 2.0 * r * r * r);
}
inline HyperDual exponential(HyperDual a) { return a.chain(std::exp(a.v), std::exp(a.v), std::exp(a.v)); }
inline HyperDual logarithm(HyperDual a) { return a.chain(std::log(a.v), 1.0 / a.v, -1.0 / (a.v * a.v)); }
inline bool is_constant(HyperDual a) { return a.d1 == 0.0 && a.d2 == 0.0 && a.d12 == 0.0; }
inline HyperDual raise(HyperDual a, HyperDual b) {
  if (!is_constant(b)) return exponential(b * logarithm(a));
  const double n = b.v;
  const double df = n == 0.0 ? 0.0 : n * std::pow(a.v, n - 1.0);
  const double ddf = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * std::pow(a.v, n - 2.0);
  return a.chain(std::pow(a.v, n), df, ddf);
}
inline HyperDual arctangent(HyperDual a) {
  const double w = 1.0 / (1.0 + a.v * a.v);
  return a.chain(std::atan(a.v), w, -2.0 * a.v * w * w);
}

/// What a walk met on its way: how large the numbers were, and whether a corner was so close that rounding decides.
struct Trace {
  Largest size;
  bool corner = false;
  double largest() const { return size.value(); }
  bool usable() const { return largest() < 1e4 && !corner; }
  HyperDual note(HyperDual x) {
    for (const double part : {x.v, x.d1, x.d2, x.d12}) size.note(part);
    return x;
  }
};

struct Formula {
  std::string head;  // operator, function, name or number
  double number = 0.0;
  int variable = -1;
  std::vector<std::unique_ptr<Formula>> operands;

  std::string text() const {
    if (operands.empty()) return head;
    if (head == "neg") return fmt::format("(-{})", operands[0]->text());
    if (!std::isalpha(static_cast<unsigned char>(head[0])))
      return fmt::format("({}{}{})", operands[0]->text(), head, operands[1]->text());
    std::vector<std::string> list;
    for (const auto& operand : operands) list.push_back(operand->text());
    return fmt::format("{}({})", head, fmt::join(list, ", "));
  }

  HyperDual value(const std::vector<HyperDual>& variables, Trace& trace) const {
    std::vector<HyperDual> x;
    for (const auto& operand : operands) x.push_back(operand->value(variables, trace));
    return trace.note(compute(x, variables, trace));
  }

 private:
  HyperDual compute(const std::vector<HyperDual>& x, const std::vector<HyperDual>& variables, Trace& trace) const {
    const auto near = [&trace](double a, double b) { trace.corner |= !(std::abs(a - b) > 1e-7); };
    if (operands.empty()) return variable < 0 ? HyperDual{number} : variables[static_cast<std::size_t>(variable)];
    const HyperDual a = x[0];
    if (head == "neg") return -a;
    if (head == "sin") return a.chain(std::sin(a.v), std::cos(a.v), -std::sin(a.v));
    if (head == "cos") return a.chain(std::cos(a.v), -std::sin(a.v), -std::cos(a.v));
    if (head == "tan") {
      const double t = std::tan(a.v);
      return a.chain(t, 1.0 + t * t, 2.0 * t * (1.0 + t * t));
    }
    if (head == "asin" || head == "acos") {
      const double w = 1.0 / std::sqrt(1.0 - a.v * a.v);
      const HyperDual sine = a.chain(std::asin(a.v), w, a.v * w * w * w);
      return head == "asin" ? sine : HyperDual{std::acos(a.v), -sine.d1, -sine.d2, -sine.d12};
    }
    if (head == "atan") return arctangent(a);
    if (head == "sinh") return a.chain(std::sinh(a.v), std::cosh(a.v), std::sinh(a.v));
    if (head == "cosh") return a.chain(std::cosh(a.v), std::sinh(a.v), std::cosh(a.v));
    if (head == "tanh") {
      const double t = std::tanh(a.v);
      return a.chain(t, 1.0 - t * t, -2.0 * t * (1.0 - t * t));
    }
    if (head == "exp") return exponential(a);
    if (head == "log") return logarithm(a);
    if (head == "sqrt") return raise(a, HyperDual{0.5});
    if (head == "abs") return near(a.v, 0.0), a.v < 0.0 ? -a : a;
    if (head == "sign") return near(a.v, 0.0), HyperDual{a.v < 0.0 ? -1.0 : 1.0};
    const HyperDual b = x[1];
    if (head == "+") return a + b;
    if (head == "-") return a - b;
    if (head == "*") return a * b;
    if (head == "/") return a * trace.note(reciprocal(b));
    if (head == "^" || head == "pow") {
      const bool is_number = operands[1]->operands.empty() && operands[1]->variable < 0;
      if (!is_number) trace.corner |= !(a.v > 1e-7);  // x^y is smooth in y for positive x only
      return raise(a, b);
    }
    if (head == "atan2") {  // by the quotient that is small, so that the angle is smooth everywhere but at the origin
      HyperDual angle = std::abs(b.v) > std::abs(a.v) ? arctangent(a * trace.note(reciprocal(b)))
                                                      : -arctangent(b * trace.note(reciprocal(a)));
      near(std::max(std::abs(a.v), std::abs(b.v)), 0.0);
      near(std::abs(a.v) + (b.v > 0.0 ? 1.0 : 0.0), 0.0);  // the cut along the negative axis
      angle.v = std::atan2(a.v, b.v);
      return angle;
    }
    if (head == "if") return near(a.v, 0.0), a.v != 0.0 ? x[1] : x[2];
    near(a.v, b.v);
    if (head == "min") return a.v < b.v ? a : b;
    if (head == "max") return a.v > b.v ? a : b;
    if (head == "<" || head == "<=") return HyperDual{a.v < b.v ? 1.0 : 0.0};
    if (head == ">" || head == ">=") return HyperDual{a.v > b.v ? 1.0 : 0.0};
    return HyperDual{head == "!=" ? 1.0 : 0.0};
  }
};

/// Draws formulas over x0, x1, ...
class FormulaGenerator {
 public:
  FormulaGenerator(std::uint64_t seed, int variables, bool rational_only = false)
      : random_(seed), variables_(variables), rational_only_(rational_only) {}

  std::unique_ptr<Formula> draw(int depth) {
    auto formula = std::make_unique<Formula>();
    if (depth == 0 || pick(6) == 0)
      leaf(*formula);
    else
      branch(*formula, depth);
    return formula;
  }

  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  double real(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }

 private:
  void leaf(Formula& formula) {
    static constexpr double numbers[] = {0.0, 1.0, 2.0, 3.0, 0.5, 0.1, 4.0, 10.0, 0.25, 7.0};
    if (pick(3) > 0) {
      formula.variable = pick(variables_);
      formula.head = fmt::format("x{}", formula.variable);
    } else {
      formula.number = pick(3) == 0 ? std::round(real(0.0, 1000.0)) / 100.0 : numbers[pick(10)];
      formula.head = fmt::format("{}", formula.number);
    }
  }

  void branch(Formula& formula, int depth) {
    static constexpr const char* rational[] = {"+", "-", "*", "/", "neg", "+", "-", "*", "min", "max", "abs", "sqrt"};
    static constexpr const char* others[] = {"sin",  "cos",  "tan", "asin", "acos", "atan", "atan2", "sinh",
                                             "cosh", "tanh", "exp", "log",  "sign", "pow",  "^",     "^",
                                             "^",    "^",    "if",  "<",    ">=",   "<=",   ">",     "!="};
    formula.head = rational_only_ || pick(2) == 0 ? rational[pick(12)] : others[pick(24)];
    static const std::string binary = " + - * / ^ pow atan2 min max < <= > >= != == ";
    const int count = formula.head == "if" ? 3 : binary.find(fmt::format(" {} ", formula.head)) != binary.npos ? 2 : 1;
    for (int k = 0; k < count; ++k) formula.operands.push_back(draw(depth - 1));
    if (formula.head == "^" && pick(4) > 0) {  // mostly the powers that people write
      static constexpr double exponents[] = {2.0, 3.0, 4.0, -1.0, -2.0, 0.5, 1.5, 5.0, 7.0, -0.5, 2.5, 9.0};
      auto exponent = std::make_unique<Formula>();
      exponent->number = exponents[pick(12)];
      exponent->head = fmt::format("{}", exponent->number);
      formula.operands[1] = std::move(exponent);
    }
    if (formula.head == "if") {  // a condition that is one
      auto condition = std::make_unique<Formula>();
      condition->head.push_back('<');
      condition->operands.push_back(std::move(formula.operands[0]));
      condition->operands.push_back(draw(depth - 1));
      formula.operands[0] = std::move(condition);
    }
  }

  std::mt19937_64 random_;
  int variables_;
  bool rational_only_;
};

}  // namespace maggi::support
