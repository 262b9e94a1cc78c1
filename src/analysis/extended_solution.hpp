#pragma once
#include "maggi/expert/equations.hpp"

namespace maggi {

/// v̇ and λ in extended precision where the machine has it: what formulations in double precision are held against.
///
///     Cᵀ = Y R, C Z = 0, [Y Z] orthogonal:   v̇ = Y R⁻ᵀγ + Z z,   ZᵀM Z z = Zᵀ(h − M Y R⁻ᵀγ)        (1)
///     C_all = B Yᵀ:   λ of least norm with Bᵀλ = Yᵀ(M v̇ − h)                                        (2)
///
/// `equations` has independent rows, `all` these and those that depend on them; λ belongs to the rows of `all`.
void solve_extended(const Equations& equations, const Matrix& all, Vector& vdot, Vector& lambda);

/// λ of constraints that are not ideal, M v̇ = h + G λ, C v̇ = γ with independent rows:  [M −G; C 0] by QR.
Vector extended_multipliers(const Equations& equations);

}  // namespace maggi
