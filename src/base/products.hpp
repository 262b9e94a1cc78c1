#pragma once
#include <Eigen/Core>
#include <type_traits>

/// Products of dense matrices, compiled once (products.cpp). Eigen compiles its blocked product, and a second one for
/// small sizes, again for every pair of expressions: half a second each. Here all of them end in one function; its
/// arithmetic is Eigen's, to the bit but for products with a factor α ≠ 1, where α is multiplied in later: rounding.

namespace maggi {

/// A matrix in memory, stored column by column or row by row.
struct MatrixInMemory {
  const double* data;
  Eigen::Index rows, cols, stride;  ///< from one column (row) to the next
  bool by_rows;

  MatrixInMemory transposed() const { return {data, cols, rows, stride, !by_rows}; }
};

enum class ProductMode {
  assign,    ///< C = α A B
  add,       ///< C += α A B
  subtract,  ///< C −= α A B
  blocked    ///< C += α A B, in blocks whatever its size
};

/// C is A.rows × B.cols, by columns with this stride; it shares no memory with A and B.
void multiply(const MatrixInMemory& A, const MatrixInMemory& B, double alpha, ProductMode mode, double* C,
              Eigen::Index stride);

}  // namespace maggi

#if !defined(MAGGI_EIGEN_PRODUCTS) && !EIGEN_VERSION_AT_LEAST(3, 4, 90)
namespace Eigen::internal {

template <class Xpr>
constexpr bool lies_in_memory = (Xpr::Flags & DirectAccessBit) != 0 && inner_stride_at_compile_time<Xpr>::ret == 1;

/// An operand without its factor: where it lies, or a copy of what has to be computed first.
template <class Xpr>
using FactorFree = std::conditional_t<lies_in_memory<typename blas_traits<Xpr>::_ExtractType>,
                                      typename blas_traits<Xpr>::ExtractType, typename Xpr::PlainObject>;

template <class Xpr>
maggi::MatrixInMemory in_memory(const Xpr& xpr) {
  return {xpr.data(), xpr.rows(), xpr.cols(), xpr.outerStride(), bool(Xpr::IsRowMajor)};
}

template <class Lhs, class Rhs>
requires std::is_same_v<typename Lhs::Scalar, double> && std::is_same_v<typename Rhs::Scalar, double>
struct generic_product_impl<Lhs, Rhs, DenseShape, DenseShape, GemmProduct> {
  using Scalar = double;

  template <class Dst>
  static void evalTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    run(dst, lhs, rhs, 1.0, maggi::ProductMode::assign);
  }
  template <class Dst>
  static void addTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    run(dst, lhs, rhs, 1.0, maggi::ProductMode::add);
  }
  template <class Dst>
  static void subTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    run(dst, lhs, rhs, 1.0, maggi::ProductMode::subtract);
  }
  template <class Dst>
  static void scaleAndAddTo(Dst& dst, const Lhs& lhs, const Rhs& rhs, double alpha) {
    run(dst, lhs, rhs, alpha, maggi::ProductMode::blocked);
  }

 private:
  template <class Dst>
  static void run(Dst& dst, const Lhs& lhs, const Rhs& rhs, double alpha, maggi::ProductMode mode) {
    if constexpr (!lies_in_memory<Dst>) {
      typename Dst::PlainObject plain = dst;
      run(plain, lhs, rhs, alpha, mode);
      dst = plain;
    } else {
      const FactorFree<Lhs> A = blas_traits<Lhs>::extract(lhs);
      const FactorFree<Rhs> B = blas_traits<Rhs>::extract(rhs);
      alpha *= blas_traits<Lhs>::extractScalarFactor(lhs) * blas_traits<Rhs>::extractScalarFactor(rhs);
      if constexpr (Dst::IsRowMajor)  // Cᵀ = Bᵀ Aᵀ
        maggi::multiply(in_memory(B).transposed(), in_memory(A).transposed(), alpha, mode, dst.data(),
                        dst.outerStride());
      else
        maggi::multiply(in_memory(A), in_memory(B), alpha, mode, dst.data(), dst.outerStride());
    }
  }
};

}  // namespace Eigen::internal
#endif
