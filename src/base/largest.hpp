#pragma once
#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <span>

/// The largest magnitude among numbers, for residuals, errors and the scales that they are compared with.
///
/// std::max and Eigen's lpNorm<Infinity>() and maxCoeff() lose a NaN among other numbers, because every comparison with
/// it is false: a residual that is not a number then looks small, and an iteration that went wrong looks converged.
/// Here a NaN counts as +∞ and stays, whatever follows.
namespace maggi {

/// The larger of `largest` ≥ 0 and |value|; +∞ if one of them is NaN.
inline double larger(double largest, double value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double size = std::abs(value);
  if (size <= largest) return largest;
  return size < infinity && largest <= size ? size : infinity;
}

/// The largest |x_i| of a vector, matrix or expression; +∞ if one of them is NaN, 0 if there are none.
template <class Derived>
double largest(const Eigen::DenseBase<Derived>& x) {
  if (x.size() == 0) return 0.0;
  const double size = x.derived().array().abs().template maxCoeff<Eigen::PropagateNaN>();
  return size >= 0.0 ? size : std::numeric_limits<double>::infinity();
}
inline double largest(std::span<const double> x) {
  return largest(Eigen::Map<const Eigen::ArrayXd>(x.data(), static_cast<Eigen::Index>(x.size())));
}

/// The same, and where it is: the first NaN if there is one. x must not be empty.
template <class Derived, class Index>
double largest(const Eigen::DenseBase<Derived>& x, Index* where) {
  const double size = x.derived().array().abs().template maxCoeff<Eigen::PropagateNaN>(where);
  return size >= 0.0 ? size : std::numeric_limits<double>::infinity();
}
template <class Derived, class Index>
double largest(const Eigen::DenseBase<Derived>& x, Index* row, Index* col) {
  const double size = x.derived().array().abs().template maxCoeff<Eigen::PropagateNaN>(row, col);
  return size >= 0.0 ? size : std::numeric_limits<double>::infinity();
}

/// The largest magnitude of numbers that come one after the other.
class Largest {
 public:
  explicit Largest(double at_least = 0.0) : value_(larger(0.0, at_least)) {}

  /// Is it larger than all before? Of several that are NaN or infinite, the first one is.
  bool note(double value) {
    const double before = value_;
    value_ = larger(value_, value);
    return value_ > before;
  }
  template <class Derived>
  bool note(const Eigen::DenseBase<Derived>& x) {
    return note(largest(x));
  }

  double value() const { return value_; }

 private:
  double value_;
};

/// Is an error or residual within its bound? Unlike error <= bound, an infinite bound contains nothing: where error and
/// scale are both made of a NaN, nothing has converged.
inline bool within(double error, double bound) {
  return error <= bound && bound < std::numeric_limits<double>::infinity();
}

}  // namespace maggi
