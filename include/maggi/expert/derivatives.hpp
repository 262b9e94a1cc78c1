#pragma once
#include "maggi/expert/linear.hpp"

namespace maggi {

/// Derivatives of the equations of a system at one instant, by positions, velocities and parameters. What the equations
/// are solved for (v̇, λ, τ, p) is held fixed, so that each line below is differentiated once, as it stands:
///
///     balance = h + Cᵀλ + T τ + B p − M v̇       n
///     rows    = γ − C v̇                          m       acceleration rows: −ψ(q, v, v̇, t)
///     law     = law(λ, τ, q, v, t)               laws
///     phi, f    φ(q, v, t), f(q, t)              s_p + s_v, s_p
///
/// The parts are sums, so that each of them can be had alone: ∂h/∂q is balance_q with v̇, λ, τ and p zero, ∂(M v̇)/∂q is
/// minus what v̇ adds to it, ∂(Cᵀλ)/∂q what λ adds to it, and ∂γ/∂q is rows_q with v̇ = 0. The derivative of the solution
/// needs nothing else: with the matrix that gave v̇ and λ, M dv̇ − Cᵀdλ = d balance, C dv̇ = d rows.
///
/// Columns by q belong to displacements δ along the velocities, q ← q + N(q) δ: n of them, also where n_q is larger.
/// Not listed because they are known: ∂f/∂q N = C (position rows) and ∂φ/∂v = C.
/// Columns by parameters are in the order in which they are asked for; a parameter that is given as a formula over
/// others follows them, and q and v are held.
///
/// Where a formula has a corner (abs, min, max, a condition) it is the derivative on the side that is evaluated. All
/// matrices are dense and get their size from the call that fills them.
struct Derivatives {
  // velocity_derivatives()
  Matrix phi_q;  ///< (s_p + s_v) × n
  // acceleration_derivatives()
  Matrix balance_q, balance_v;  ///< n × n
  Matrix rows_q, rows_v;        ///< m × n
  Matrix law_q, law_v;          ///< laws × n
  // parameter_derivatives()
  Matrix balance_p, rows_p, law_p, phi_p, f_p;  ///< one column for each parameter asked for
};

}  // namespace maggi
