#pragma once
#include <Eigen/Core>
#include <cmath>

namespace maggi {

/// A number and its derivatives along four directions, exact to rounding: f(x + Σ ε_k) = f(x) + Σ f′(x) ε_k, ε_i ε_k = 0.
/// Comparisons look at the number alone. A template over its scalar is differentiated by being instantiated with it.
struct Dual {
  static constexpr int directions = 4;

  double value = 0.0;
  double slope[directions] = {};

  Dual() = default;
  Dual(double number) : value(number) {}  // NOLINT: a constant

  /// f(x), given f and f′ there.
  Dual chain(double f, double df) const {
    Dual result(f);
    for (int k = 0; k < directions; ++k) result.slope[k] = df * slope[k];
    return result;
  }

  Dual& operator+=(const Dual& b) {
    value += b.value;
    for (int k = 0; k < directions; ++k) slope[k] += b.slope[k];
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    value -= b.value;
    for (int k = 0; k < directions; ++k) slope[k] -= b.slope[k];
    return *this;
  }
  Dual& operator*=(const Dual& b) {
    for (int k = 0; k < directions; ++k) slope[k] = slope[k] * b.value + value * b.slope[k];
    value *= b.value;
    return *this;
  }
  Dual& operator/=(const Dual& b) {
    const double inverse = 1.0 / b.value;
    value *= inverse;
    for (int k = 0; k < directions; ++k) slope[k] = (slope[k] - value * b.slope[k]) * inverse;
    return *this;
  }

  // found through their arguments only, so that they never stand in for the functions of a plain number
  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator*(double a, const Dual& b) { return b.chain(a * b.value, a); }
  friend Dual operator*(const Dual& a, double b) { return a.chain(a.value * b, b); }
  friend Dual operator/(const Dual& a, double b) { return a * (1.0 / b); }
  friend Dual operator-(const Dual& a) { return a.chain(-a.value, -1.0); }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return a.chain(root, 0.5 / root);
  }
  friend Dual abs(const Dual& a) { return a.value < 0.0 ? -a : a; }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = x.value * x.value + y.value * y.value;
    Dual angle(std::atan2(y.value, x.value));
    for (int k = 0; k < directions; ++k) angle.slope[k] = (x.value * y.slope[k] - y.value * x.slope[k]) / square;
    return angle;
  }
  friend Dual remainder(const Dual& a, double period) { return a.chain(std::remainder(a.value, period), 1.0); }

  friend void sincos(int count, const Dual* x, Dual* sines, Dual* cosines) {
    for (int i = 0; i < count; ++i) {
      const double s = std::sin(x[i].value), c = std::cos(x[i].value);
      sines[i] = x[i].chain(s, c);
      cosines[i] = x[i].chain(c, -s);
    }
  }
};

}  // namespace maggi

namespace Eigen {

template <>
struct NumTraits<maggi::Dual> : NumTraits<double> {
  using Real = maggi::Dual;
  using NonInteger = maggi::Dual;
  using Nested = maggi::Dual;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1, ReadCost = 4, AddCost = 5, MulCost = 9 };
};
template <class Operation>
struct ScalarBinaryOpTraits<maggi::Dual, double, Operation> {
  using ReturnType = maggi::Dual;
};
template <class Operation>
struct ScalarBinaryOpTraits<double, maggi::Dual, Operation> {
  using ReturnType = maggi::Dual;
};

}  // namespace Eigen
