#pragma once
#include "maggi/expert/linear.hpp"

namespace maggi {

/// A = L Lᵀ in place: reads the lower triangle of A, leaves L there; the upper one is scratch. false if A, scaled to a
/// unit diagonal, is found to have an eigenvalue below `tolerance`: it is not positive definite to working accuracy.
/// Nothing is allocated.
bool cholesky(Eigen::Ref<Matrix> A, double tolerance = 1e-13);

/// x ← L⁻¹ x and x ← L⁻ᵀ x with the lower triangle of L.
void solve_lower(const Eigen::Ref<const Matrix>& L, VectorRef x);
void solve_lower_transposed(const Eigen::Ref<const Matrix>& L, VectorRef x);

}  // namespace maggi
