#pragma once
#include <cmath>
#include <complex>
#include <random>

#include "maggi/expert/linear.hpp"

namespace maggi::test {

template <class Scalar>
using MatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// f'(t) = Im f(t + i h) / h: no difference is taken, so h may be tiny and the derivative is exact to rounding.
template <class Function>
Matrix complex_step(Function f, double t) {
  constexpr double h = 1e-30;
  return f(std::complex<double>(t, h)).imag() / h;
}

/// Matrices that depend on time as those of a rheonomic system along a motion: M(t) > 0 and C(t), analytic.
///
///     M = L Lᵀ,  L = 1 + ¼ (L₀ + sin t L₁),    C = C₀ + sin(2t) C₁ + t² C₂         all from the seed of `random`
class RandomMotion {
 public:
  RandomMotion(int n, int m, std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto any = [&] { return uniform(random); };
    for (Matrix* L : {&L0_, &L1_}) *L = Matrix::NullaryExpr(n, n, any);
    for (Matrix* C : {&C0_, &C1_, &C2_}) *C = Matrix::NullaryExpr(m, n, any);
  }

  template <class T>
  MatrixOf<T> M(T t) const {
    using std::sin;
    const MatrixOf<T> L = MatrixOf<T>::Identity(L0_.rows(), L0_.rows()) +
                          T(0.25) * (L0_.template cast<T>() + sin(t) * L1_.template cast<T>());
    return L * L.transpose();
  }
  template <class T>
  MatrixOf<T> C(T t) const {
    using std::sin;
    return C0_.template cast<T>() + sin(2.0 * t) * C1_.template cast<T>() + t * t * C2_.template cast<T>();
  }
  Matrix Mdot(double t) const {
    return complex_step([&](auto z) { return M(z); }, t);
  }
  Matrix Cdot(double t) const {
    return complex_step([&](auto z) { return C(z); }, t);
  }

 private:
  Matrix L0_, L1_, C0_, C1_, C2_;
};

}  // namespace maggi::test
