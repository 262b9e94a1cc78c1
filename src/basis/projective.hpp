#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi {

/// The projective criterion: how far the constraints hold each coordinate. [Blajer1993, sec. 5, corrected]
///
/// The unit covector e_i of coordinate i has the length √(M⁻¹)_ii and an angle α_i to the span of the rows of C:
///
///     cos²α_i = b_iᵀ (C M⁻¹Cᵀ)⁻¹ b_i / (M⁻¹)_ii,   b_i = C M⁻¹e_i          from the equations              (1)
///             = (W_c W_cᵀ)_ii / (W Wᵀ)_ii,         W = [W_c W_d]            from a mass-orthonormal basis   (2)
///
/// 0: the constraints do not touch the coordinate; 1: they leave it no motion. M is positive definite; rows of C may
/// be redundant.

Vector cosines_squared(const Matrix& M, const Matrix& C);    ///< (1), n numbers
Vector cosines_squared(const Matrix& W, Eigen::Index rank);  ///< (2); WᵀM W = 1, W_c are the first `rank` columns

/// k = n − rank C coordinates whose unit covectors complete the rows of C to n independent ones, the freest first.
///
/// Greedy with deflation: each choice looks only at what the earlier ones have left of the tangent space, so that the
/// set cannot be dependent. Pivots of QR with column pivoting of W_dᵀ diag(1/√(M⁻¹)_ii).
std::vector<int> free_coordinates(const Matrix& M, const Matrix& C);

/// The k smallest cosines, the criterion as the paper has it: not used, because the covectors chosen may be parallel
/// in the tangent space and leave [C; E] singular. For null(C) = span{(1,1,0,0,0), (0,0,1,1,1)} they do.
std::vector<int> smallest_cosines(const Matrix& M, const Matrix& C);

/// rank C coordinates whose equations of M v̇ − h = Cᵀλ determine λ best: pivots of W_cᵀ diag(1/√(M⁻¹)_ii).
std::vector<int> equations_for_multipliers(const Matrix& M, const Matrix& C);

}  // namespace maggi
