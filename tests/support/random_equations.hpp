#pragma once
#include <random>

#include "maggi/expert/equations.hpp"

namespace maggi::test {

/// What a random system of equations is to be like.
struct Kind {
  int n = 6;                   ///< velocities
  int rank = 3;                ///< independent rows
  int redundant = 0;           ///< rows added as combinations of others, compatible
  double condition_M = 100.0;  ///< ratio of the largest to the smallest eigenvalue of M
  double condition_C = 10.0;   ///< ratio of the singular values of the independent rows
  double scale_spread = 1.0;   ///< rows are scaled by up to this factor up and down
};

Matrix random_orthogonal(int n, std::mt19937& random);
Vector graded(int n, double condition);  ///< 1 … 1/condition, geometrically

/// M = U Λ Uᵀ, C_I = P Σ Qᵀ, redundant rows A C_I with γ = A γ_I; local coordinates whose J has orthonormal rows that
/// span those of C and, where there is room, one direction more. All from the seed of `random`.
Equations random_equations(const Kind& kind, std::mt19937& random);

}  // namespace maggi::test
