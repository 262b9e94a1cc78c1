#pragma once
#include "maggi/expert/equations.hpp"

namespace maggi {

/// Forces along given directions that have the effect of a generalised reaction.
struct ForceSplit {
  Vector force;       ///< f with B f = r, least squares in the metric M⁻¹
  double rest = 0.0;  ///< ‖B f − r‖ / ‖r‖ in that metric: rounding, if the directions span the reaction
  int worst = -1;     ///< the velocity along which most of the rest is left
  int rank = 0;       ///< of B; the forces are unique if it has as many columns
};

/// The columns of B are directions: of forces that the user names (λ_f of Blajer), or B = Jᵀ: then f are the forces in
/// the local coordinates x = g(q), Ĉᵀλ, and the rest is what does not act on these points, which should vanish.
/// [Blajer1993, sec. 4; BlajerBestleSchiehlen1994 (37), with the transposed inverse]
ForceSplit distribute(const Matrix& M, const Matrix& B, const Vector& r);

/// Multipliers along mass-orthonormal directions of the constraints. [Blajer1993 (4.8)-(4.10)]
///
///     Cᵀ = M W_c R,   λ_w = R⁻ᵀγ − W_cᵀh,   R λ = λ_w,   r = M W_c λ_w = Cᵀλ
///
/// λ_w needs no inverse of C M⁻¹Cᵀ, and its square is the square of the reaction in the metric M⁻¹.
struct ResolvedReactions {
  Vector lambda_w;
  Matrix R;       ///< upper triangular
  Vector lambda;  ///< from R λ = λ_w
};

/// For independent rows. Error (numerics) if they are dependent or M is not positive definite.
ResolvedReactions resolved_reactions(const Equations& equations);

}  // namespace maggi
