#pragma once
#include <string>
#include <vector>

#include "maggi/mode.hpp"
#include "maggi/state.hpp"

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
  int second_order = 0;  ///< motions that the rows admit to first order, and a self-stress forbids: nothing moves along them
  int forces_given = 0;  ///< values of v̇, λ and reactions given: each uses up one of n_p + n_v, unless λ is not unique
  std::string method;  ///< in words
  std::string note;    ///< in words: other accelerations that rows admit, motions that are free to first order only
};

}  // namespace maggi
