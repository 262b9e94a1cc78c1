#pragma once
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "base/kernels.hpp"
#include "base/products.hpp"
#include "maggi/expert/linear.hpp"

/// Eigen's decompositions of a Matrix, compiled once (decompositions.cpp) instead of in each of the forty files that
/// use them: 2 s instead of 7 to 11 s a file. What is not named here is merely compiled again where it is used.
#ifndef MAGGI_DECOMPOSITIONS
#define MAGGI_DECOMPOSITIONS extern
#endif

namespace Eigen {

MAGGI_DECOMPOSITIONS template class PartialPivLU<MatrixXd>;
MAGGI_DECOMPOSITIONS template class FullPivLU<MatrixXd>;
MAGGI_DECOMPOSITIONS template class HouseholderQR<MatrixXd>;
MAGGI_DECOMPOSITIONS template class ColPivHouseholderQR<MatrixXd>;
MAGGI_DECOMPOSITIONS template class CompleteOrthogonalDecomposition<MatrixXd>;
MAGGI_DECOMPOSITIONS template class JacobiSVD<MatrixXd>;
MAGGI_DECOMPOSITIONS template class HessenbergDecomposition<MatrixXd>;
MAGGI_DECOMPOSITIONS template class RealSchur<MatrixXd>;
MAGGI_DECOMPOSITIONS template RealSchur<MatrixXd>& RealSchur<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);
MAGGI_DECOMPOSITIONS template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
MAGGI_DECOMPOSITIONS template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, int);

// solutions with one right side
MAGGI_DECOMPOSITIONS template void FullPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
MAGGI_DECOMPOSITIONS template void HouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
MAGGI_DECOMPOSITIONS template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
MAGGI_DECOMPOSITIONS template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&,
                                                                                          VectorXd&) const;

// Q, as a matrix and as it acts on matrices and vectors
MAGGI_DECOMPOSITIONS template void MatrixBase<Block<MatrixXd>>::applyHouseholderOnTheLeft(
    const Block<const MatrixXd, Dynamic, 1>&, const double&, double*);
MAGGI_DECOMPOSITIONS template void MatrixBase<Block<MatrixXd>>::applyHouseholderOnTheRight(
    const Block<const MatrixXd, Dynamic, 1>&, const double&, double*);
namespace internal {
MAGGI_DECOMPOSITIONS template void apply_block_householder_on_the_left(Block<MatrixXd>&, const Block<MatrixXd>&,
                                                                       const VectorBlock<const VectorXd>&, bool);
MAGGI_DECOMPOSITIONS template void apply_block_householder_on_the_left(Block<MatrixXd>&, const Block<MatrixXd>&,
                                                                       const Block<const VectorXd, Dynamic, 1>&, bool);
MAGGI_DECOMPOSITIONS template void apply_block_householder_on_the_left(Block<VectorXd, Dynamic, Dynamic>&,
                                                                       const Block<MatrixXd>&,
                                                                       const VectorBlock<const VectorXd>&, bool);
}  // namespace internal

}  // namespace Eigen
