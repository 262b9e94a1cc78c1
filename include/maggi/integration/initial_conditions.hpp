#pragma once
#include <string>
#include <vector>

#include "maggi/formulation/dynamics.hpp"
#include "maggi/integration/projection.hpp"

namespace maggi {

/// A start that satisfies everything: f, f_q N v + f_t, φ, C v̇ = γ, M v̇ = h + Cᵀλ. [Dinh2002, Algorithm A.3]
struct InitialConditions {
  enum class How { given, kept, found };  ///< by the user; left at its guess; from the constraints

  State state;
  Acceleration acceleration;
  std::vector<How> q, v;  ///< how each value came about
  Residuals residuals;
  double residual_acceleration = 0;  ///< ‖C v̇ − γ‖∞ over all active rows, each divided by ‖row‖ (1 + ‖v̇‖)
  double condition_position = 1;  ///< of the matrix that gave the found positions, rows and columns in the mass metric
  double condition_velocity = 1;
  int free_positions = 0, free_velocities = 0;  ///< n_p, n_v
  std::string method;                           ///< "dependent coordinates", "least change"
};

/// Completes what Start gives, in three steps: positions, velocities, accelerations with multipliers.
/// Given values are kept. If every other value has a guess, they change least in the mass metric; otherwise the best
/// conditioned dependent ones are chosen and solved for, the rest keeps its guess (0 by default).
/// Error (numerics) naming the constraints, the values given and the smallest residual if there is no such start.
/// Leaves the rank decision of the start in `dynamics`.
InitialConditions find_initial_conditions(Dynamics& dynamics, const Start& start);

}  // namespace maggi
