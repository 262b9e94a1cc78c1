#pragma once
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <type_traits>

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
MAGGI_DECOMPOSITIONS template void MatrixBase<Block<VectorXd, Dynamic, Dynamic>>::applyHouseholderOnTheLeft(
    const Block<const MatrixXd, Dynamic, 1>&, const double&, double*);
MAGGI_DECOMPOSITIONS template void MatrixBase<Block<MatrixXd>>::applyHouseholderOnTheLeft(
    const Block<const MatrixXd, Dynamic, 1>&, const double&, double*);
MAGGI_DECOMPOSITIONS template void MatrixBase<Block<MatrixXd>>::applyHouseholderOnTheRight(
    const Block<const MatrixXd, Dynamic, 1>&, const double&, double*);
namespace internal {

template <class Decomposition, class Rhs>
concept SolvedAbove = Rhs::ColsAtCompileTime == 1 &&
                      (std::is_same_v<Decomposition, FullPivLU<MatrixXd>> ||
                       std::is_same_v<Decomposition, HouseholderQR<MatrixXd>> ||
                       std::is_same_v<Decomposition, ColPivHouseholderQR<MatrixXd>> ||
                       std::is_same_v<Decomposition, CompleteOrthogonalDecomposition<MatrixXd>>);

/// A right side that is an expression is computed first: Eigen compiles the whole solution again for each expression.
template <class Dst, class Decomposition, class Rhs>
requires SolvedAbove<Decomposition, Rhs>
struct Assignment<Dst, Solve<Decomposition, Rhs>, assign_op<double, double>, Dense2Dense> {
  static void run(Dst& dst, const Solve<Decomposition, Rhs>& solution, const assign_op<double, double>&) {
    if constexpr (!std::is_same_v<Rhs, VectorXd>) {
      const VectorXd rhs = solution.rhs();
      dst = solution.dec().solve(rhs);
    } else if constexpr (!std::is_same_v<Dst, VectorXd>) {
      const VectorXd x = solution;
      dst = x;
    } else {
      dst.resize(solution.rows());
      solution.dec()._solve_impl(solution.rhs(), dst);
    }
  }
};

/// The same where the solution is part of an expression.
template <class Decomposition, class Rhs>
requires SolvedAbove<Decomposition, Rhs>
struct evaluator<Solve<Decomposition, Rhs>> : evaluator<VectorXd> {
  enum { Flags = evaluator<VectorXd>::Flags | EvalBeforeNestingBit };

  explicit evaluator(const Solve<Decomposition, Rhs>& solution) : x_(solution) {
    ::new (static_cast<evaluator<VectorXd>*>(this)) evaluator<VectorXd>(x_);
  }

 private:
  VectorXd x_;
};

MAGGI_DECOMPOSITIONS template void apply_block_householder_on_the_left(Block<MatrixXd>&, const Block<MatrixXd>&,
                                                                       const VectorBlock<const VectorXd>&, bool);
MAGGI_DECOMPOSITIONS template void apply_block_householder_on_the_left(Block<MatrixXd>&, const Block<MatrixXd>&,
                                                                       const Block<const VectorXd, Dynamic, 1>&, bool);
MAGGI_DECOMPOSITIONS template void apply_block_householder_on_the_left(Block<VectorXd, Dynamic, Dynamic>&,
                                                                       const Block<MatrixXd>&,
                                                                       const VectorBlock<const VectorXd>&, bool);
}  // namespace internal

}  // namespace Eigen
