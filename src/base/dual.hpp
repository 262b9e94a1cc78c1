#pragma once
#include <cmath>

#include "base/matrix_scalar.hpp"

namespace maggi {

/// A number and its derivatives along four directions, exact to rounding: f(x + Σ ε_k) = f(x) + Σ f′(x) ε_k, ε_i ε_k =
/// 0. Comparisons look at the number alone. A template over its scalar is differentiated by being instantiated with it.
/// The derivatives are two pairs, which the compiler keeps in registers.
struct Dual {
  static constexpr int directions = 4;
  using Pair [[gnu::vector_size(16)]] = double;

  double value = 0.0;
  Pair low = {}, high = {};

  Dual() = default;
  Dual(double number) : value(number) {}  // NOLINT: a constant
  Dual(double number, Pair a, Pair b) : value(number), low(a), high(b) {}

  double slope(int k) const { return k < 2 ? low[k] : high[k - 2]; }
  void set_slope(int k, double slope) {
    if (k < 2)
      low[k] = slope;
    else
      high[k - 2] = slope;
  }

  /// f(x), given f and f′ there.
  [[gnu::always_inline]] Dual chain(double f, double df) const { return {f, df * low, df * high}; }

  [[gnu::always_inline]] Dual& operator+=(const Dual& b) {
    value += b.value, low += b.low, high += b.high;
    return *this;
  }
  [[gnu::always_inline]] Dual& operator-=(const Dual& b) {
    value -= b.value, low -= b.low, high -= b.high;
    return *this;
  }
  [[gnu::always_inline]] Dual& operator*=(const Dual& b) { return *this = *this * b; }
  [[gnu::always_inline]] Dual& operator/=(const Dual& b) { return *this = *this / b; }

  // found through their arguments only, so that they never stand in for the functions of a plain number
  [[gnu::always_inline]] friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.low + b.low, a.high + b.high};
  }
  [[gnu::always_inline]] friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.low - b.low, a.high - b.high};
  }
  [[gnu::always_inline]] friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.low + b.value * a.low, a.value * b.high + b.value * a.high};
  }
  [[gnu::always_inline]] friend Dual operator/(const Dual& a, const Dual& b) {
    const double inverse = 1.0 / b.value, quotient = a.value * inverse;
    return {quotient, inverse * (a.low - quotient * b.low), inverse * (a.high - quotient * b.high)};
  }
  [[gnu::always_inline]] friend Dual operator*(double a, const Dual& b) { return b.chain(a * b.value, a); }
  [[gnu::always_inline]] friend Dual operator*(const Dual& a, double b) { return a.chain(a.value * b, b); }
  [[gnu::always_inline]] friend Dual operator/(const Dual& a, double b) { return a * (1.0 / b); }
  [[gnu::always_inline]] friend Dual operator-(const Dual& a) { return {-a.value, -a.low, -a.high}; }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return a.chain(root, 0.5 / root);
  }
  friend Dual sin(const Dual& a) { return a.chain(std::sin(a.value), std::cos(a.value)); }
  friend Dual cos(const Dual& a) { return a.chain(std::cos(a.value), -std::sin(a.value)); }
  friend Dual abs(const Dual& a) { return a.value < 0.0 ? -a : a; }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = x.value * x.value + y.value * y.value;
    const double by_y = x.value / square, by_x = -y.value / square;
    return {std::atan2(y.value, x.value), by_y * y.low + by_x * x.low, by_y * y.high + by_x * x.high};
  }
  friend Dual remainder(const Dual& a, const Dual& period) {
    const double rest = std::remainder(a.value, period.value), times = std::round((a.value - rest) / period.value);
    return {rest, a.low - times * period.low, a.high - times * period.high};
  }

  friend void sincos(int count, const Dual* x, Dual* sines, Dual* cosines) {
    for (int i = 0; i < count; ++i) {
      const double s = std::sin(x[i].value), c = std::cos(x[i].value);
      sines[i] = x[i].chain(s, c);
      cosines[i] = x[i].chain(c, -s);
    }
  }
};

inline double value_of(double x) { return x; }
inline double value_of(const Dual& x) { return x.value; }

template <>
struct MatrixScalar<Dual> {
  static constexpr int sum = 5, product = 9;
};

}  // namespace maggi
