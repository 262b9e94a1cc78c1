#pragma once
#include "base/matrix_scalar.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/expression.hpp"

namespace maggi {

/// A number that is a formula: a template over its scalar writes down its own formulas by being instantiated with it.
/// Nothing can depend on its value: a comparison is an Error, unless it is of constants.
struct Symbol {
  expression::Graph* graph = nullptr;  ///< null: a constant
  expression::Id id = 0;
  double value = 0.0;  ///< of a constant

  Symbol() = default;
  Symbol(double number) : value(number) {}  // NOLINT: a constant
  Symbol(expression::Graph& of, expression::Id formula) : graph(&of), id(formula) {}

  expression::Id in(expression::Graph& g) const { return graph ? id : g.constant(value); }

  Symbol& operator+=(const Symbol& b) { return *this = *this + b; }
  Symbol& operator-=(const Symbol& b) { return *this = *this - b; }
  Symbol& operator*=(const Symbol& b) { return *this = *this * b; }
  Symbol& operator/=(const Symbol& b) { return *this = *this / b; }

  friend Symbol operator+(const Symbol& a, const Symbol& b) {
    return binary(expression::Op::add, a, b, a.value + b.value);
  }
  friend Symbol operator-(const Symbol& a, const Symbol& b) {
    return binary(expression::Op::subtract, a, b, a.value - b.value);
  }
  friend Symbol operator*(const Symbol& a, const Symbol& b) {
    return binary(expression::Op::multiply, a, b, a.value * b.value);
  }
  friend Symbol operator/(const Symbol& a, const Symbol& b) {
    return binary(expression::Op::divide, a, b, a.value / b.value);
  }
  friend Symbol operator-(const Symbol& a) { return Symbol(0.0) - a; }

  friend bool operator<(const Symbol& /*a*/, const Symbol& /*b*/) { compare(); }
  friend bool operator>(const Symbol& /*a*/, const Symbol& /*b*/) { compare(); }
  friend bool operator<=(const Symbol& /*a*/, const Symbol& /*b*/) { compare(); }
  friend bool operator>=(const Symbol& /*a*/, const Symbol& /*b*/) { compare(); }
  friend bool operator==(const Symbol& a, const Symbol& b) {
    if (a.graph || b.graph) compare();
    return a.value == b.value;
  }

  friend Symbol sqrt(const Symbol& a) { return unary(expression::Op::sqrt, a); }
  friend Symbol abs(const Symbol& a) { return unary(expression::Op::abs, a); }
  friend Symbol atan2(const Symbol& y, const Symbol& x) {
    return binary(expression::Op::atan2, y, x, expression::apply(expression::Op::atan2, y.value, x.value));
  }
  friend Symbol remainder(const Symbol& /*a*/, const Symbol& /*period*/) { compare(); }

  friend void sincos(int count, const Symbol* x, Symbol* sines, Symbol* cosines) {
    for (int i = 0; i < count; ++i) {
      sines[i] = unary(expression::Op::sin, x[i]);
      cosines[i] = unary(expression::Op::cos, x[i]);
    }
  }

 private:
  static Symbol binary(expression::Op op, const Symbol& a, const Symbol& b, double of_constants) {
    expression::Graph* graph = a.graph ? a.graph : b.graph;
    if (!graph) return of_constants;
    const expression::Id left = a.in(*graph), right = b.in(*graph);
    return {*graph, graph->binary(op, left, right)};
  }
  static Symbol unary(expression::Op op, const Symbol& a) {
    return a.graph ? Symbol(*a.graph, a.graph->unary(op, a.id)) : Symbol(expression::apply(op, a.value));
  }
  [[noreturn]] static void compare() { throw Error(Errc::model, {}, "it depends on which side of a value it is on"); }
};

template <>
struct MatrixScalar<Symbol> {
  static constexpr int sum = 50, product = 50;
};

}  // namespace maggi
