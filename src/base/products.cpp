#define MAGGI_EIGEN_PRODUCTS  // here they are
#include "base/products.hpp"

namespace maggi {

namespace {

// types of this file alone: what is compiled for them is never mistaken for what another file makes of a Map
struct Columns : Eigen::OuterStride<> {
  using OuterStride::OuterStride;
};
template <int order>
using Operand = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, order>, 0, Columns>;
using Result = Eigen::Map<Eigen::MatrixXd, 0, Columns>;

/// As Eigen's generic_product_impl for GemmProduct: coefficient by coefficient if small, else in blocks.
template <class A, class B>
void multiply(const A& a, const B& b, double alpha, ProductMode mode, Result& c) {
  using namespace Eigen::internal;
  if (mode != ProductMode::blocked && b.rows() > 0 &&
      b.rows() + c.rows() + c.cols() < EIGEN_GEMM_TO_COEFFBASED_THRESHOLD) {
    const auto put = [&](const auto& product) {
      if (mode == ProductMode::assign)
        call_restricted_packet_assignment_no_alias(c, product, assign_op<double, double>());
      else if (mode == ProductMode::add)
        call_restricted_packet_assignment_no_alias(c, product, add_assign_op<double, double>());
      else
        call_restricted_packet_assignment_no_alias(c, product, sub_assign_op<double, double>());
    };
    if (alpha == 1.0)
      put(a.lazyProduct(b));
    else
      put(alpha * a.lazyProduct(b));
    return;
  }
  if (mode == ProductMode::assign) c.setZero();
  generic_product_impl<A, B, Eigen::DenseShape, Eigen::DenseShape, Eigen::GemmProduct>::scaleAndAddTo(
      c, a, b, mode == ProductMode::subtract ? -alpha : alpha);
}

template <int order_A, int order_B>
void multiply(const MatrixInMemory& A, const MatrixInMemory& B, double alpha, ProductMode mode, Result& c) {
  multiply(Operand<order_A>(A.data, A.rows, A.cols, Columns(A.stride)),
           Operand<order_B>(B.data, B.rows, B.cols, Columns(B.stride)), alpha, mode, c);
}

}  // namespace

void multiply(const MatrixInMemory& A, const MatrixInMemory& B, double alpha, ProductMode mode, double* C,
              Eigen::Index stride) {
  using Eigen::ColMajor, Eigen::RowMajor;
  Result c(C, A.rows, B.cols, Columns(stride));
  if (A.by_rows && B.by_rows)
    multiply<RowMajor, RowMajor>(A, B, alpha, mode, c);
  else if (A.by_rows)
    multiply<RowMajor, ColMajor>(A, B, alpha, mode, c);
  else if (B.by_rows)
    multiply<ColMajor, RowMajor>(A, B, alpha, mode, c);
  else
    multiply<ColMajor, ColMajor>(A, B, alpha, mode, c);
}

}  // namespace maggi
