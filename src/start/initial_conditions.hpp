#pragma once
#include <optional>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "manifold/projection.hpp"
#include "start/conflict.hpp"

namespace maggi {

/// A start that satisfies everything: f, f_q N v + f_t, φ, C v̇ = γ, M v̇ = h + Cᵀλ + T τ + B p, the laws.
/// [Dinh2002, Algorithm A.3]
struct InitialConditions {
  enum class How { given, kept, found };  ///< by the user; left at its guess; from the conditions

  State state;
  Acceleration acceleration;
  Mode mode;                            ///< which contacts stick
  std::vector<How> q, v, vdot, lambda;  ///< how each value came about
  Residuals residuals;
  double residual_acceleration = 0;  ///< ‖C v̇ − γ‖∞ over all active rows, each divided by ‖row‖ (1 + ‖v̇‖)
  double condition_position = 1;  ///< of the matrix that gave the found positions, rows and columns in the mass metric
  double condition_velocity = 1;
  int free_positions = 0, free_velocities = 0;  ///< n_p, n_v
  int forces_given = 0;  ///< values of v̇, λ and reactions given: each uses up one of n_p + n_v, unless λ is not unique
  std::string method;  ///< in words
};

/// Completes what Start gives: positions, velocities, accelerations with multipliers, one after the other, or together
/// where a value of v̇, λ or a reaction is given or where speeds given fit in some poses only. Contacts that slide or
/// stick as forces given want are found with these.
/// Given values are kept. If every other value has a guess, they change least in the mass metric; otherwise the best
/// conditioned dependent ones are chosen and solved for, the rest keeps its guess (0 by default).
/// NoConsistentStart if there is none; Error (numerics) if what is given does not determine it.
/// Leaves the rank decision of the start in `dynamics`.
InitialConditions find_initial_conditions(Dynamics& dynamics, const Start& start);

/// Positions and velocities alone, whatever the accelerations; nothing if there are none that fit.
std::optional<State> find_consistent_state(Dynamics& dynamics, const Start& start);

}  // namespace maggi
