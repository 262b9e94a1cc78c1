#pragma once
#include <vector>

#include "maggi/base/linear.hpp"

namespace maggi {

/// The rows of a matrix that the others follow from, by QR with pivoting on rows of unit length; both lists increasing.
struct RowChoice {
  std::vector<int> independent, dependent;
};
RowChoice choose_rows(const Matrix& C);

/// Coordinates whose unit covectors complete the rows best: greedy with deflation, angles in the metric of M.
/// [Blajer1993, sec. 5, corrected: the k smallest cosines alone may be a dependent set.]
///
///     pivots of QR with column pivoting of Dᵀ diag(1/√(M⁻¹)_ii), D mass-orthonormal
std::vector<int> choose_supplement(const Matrix& M, const Matrix& C);

}  // namespace maggi
