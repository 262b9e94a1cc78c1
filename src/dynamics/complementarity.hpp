#pragma once
#include "maggi/expert/linear.hpp"

namespace maggi {

/// The linear complementarity problem: z with
///
///     z ≥ 0,   w = A z + b ≥ 0,   zᵀw = 0
///
/// by Lemke's method [CottlePangStone2009, 4.4]. For a symmetric positive semidefinite A, as C M⁻¹Cᵀ is, it finds a
/// solution whenever there is a z ≥ 0 with w ≥ 0; false if there is none.
bool solve_complementarity(const Matrix& A, const Vector& b, Vector& z);

}  // namespace maggi
