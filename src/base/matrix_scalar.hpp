#pragma once
#include <Eigen/Core>

namespace maggi {

/// What an operation with a number of this type costs, in units of one with a double; 0: it is no scalar of our own for
/// matrices.
template <class Real>
struct MatrixScalar {
  static constexpr int sum = 0, product = 0;
};
template <class Real>
concept OurScalar = MatrixScalar<Real>::sum >
0;

}  // namespace maggi

namespace Eigen {

template <maggi::OurScalar S>
struct NumTraits<S> : NumTraits<double> {
  using Real = S;
  using NonInteger = S;
  using Nested = S;
  using Literal = double;
  enum {
    RequireInitialization = 1,
    ReadCost = 4,
    AddCost = maggi::MatrixScalar<S>::sum,
    MulCost = maggi::MatrixScalar<S>::product
  };
};
template <maggi::OurScalar S, class Operation>
struct ScalarBinaryOpTraits<S, double, Operation> {
  using ReturnType = S;
};
template <maggi::OurScalar S, class Operation>
struct ScalarBinaryOpTraits<double, S, Operation> {
  using ReturnType = S;
};

}  // namespace Eigen
