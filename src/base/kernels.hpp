#pragma once
#include <Eigen/Core>

/// The loops in which Eigen's products with vectors and its triangular solutions end, compiled once (kernels.cpp).
#ifndef MAGGI_KERNELS
#define MAGGI_KERNELS extern
#endif

namespace Eigen::internal {

template <int order>
using InOrder = const_blas_data_mapper<double, Index, order>;
MAGGI_KERNELS template struct general_matrix_vector_product<Index, double, InOrder<ColMajor>, ColMajor, false, double,
                                                            InOrder<ColMajor>, false>;
MAGGI_KERNELS template struct general_matrix_vector_product<Index, double, InOrder<ColMajor>, ColMajor, false, double,
                                                            InOrder<RowMajor>, false>;
MAGGI_KERNELS template struct general_matrix_vector_product<Index, double, InOrder<RowMajor>, RowMajor, false, double,
                                                            InOrder<ColMajor>, false>;
MAGGI_KERNELS template struct general_matrix_vector_product<Index, double, InOrder<RowMajor>, RowMajor, false, double,
                                                            InOrder<RowMajor>, false, 1>;
#define MAGGI_TRIANGULAR(mode, order)                                                                               \
  MAGGI_KERNELS template struct triangular_solve_vector<double, double, Index, OnTheLeft, mode, false, order>;      \
  MAGGI_KERNELS template struct triangular_solve_matrix<double, Index, OnTheLeft, mode, false, order, ColMajor, 1>; \
  MAGGI_KERNELS template struct triangular_solve_matrix<double, Index, OnTheRight, mode, false, order, ColMajor, 1>;
MAGGI_TRIANGULAR(Lower, ColMajor)
MAGGI_TRIANGULAR(Lower, RowMajor)
MAGGI_TRIANGULAR(Upper, ColMajor)
MAGGI_TRIANGULAR(Upper, RowMajor)
MAGGI_TRIANGULAR(UnitLower, ColMajor)
MAGGI_TRIANGULAR(UnitLower, RowMajor)
MAGGI_TRIANGULAR(UnitUpper, ColMajor)
MAGGI_TRIANGULAR(UnitUpper, RowMajor)
#undef MAGGI_TRIANGULAR

}  // namespace Eigen::internal
