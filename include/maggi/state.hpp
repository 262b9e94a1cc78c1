#pragma once
#include "maggi/expert/linear.hpp"

namespace maggi {

/// Positions and velocities at a time.
struct State {
  double t = 0.0;  ///< [s]
  Vector q, v;     ///< n_q, n
};

/// A solution of the equations of motion at one instant.
struct Acceleration {
  Vector vdot;      ///< n
  Vector lambda;    ///< m         multipliers of the rows; 0 for rows without a reaction
  Vector reaction;  ///< n         Cᵀλ + T τ + B p = M v̇ − h
  Vector tau{};     ///< laws      forces given by laws
  Vector p{};       ///< controls
};

/// How far a state is from the constraints, in the units of the coordinates: |f_i| / ‖row i of C‖₂, the largest of all
/// rows.
struct Residuals {
  double position = 0.0;
  double velocity = 0.0;
  int worst_position = -1, worst_velocity = -1;  ///< rows; −1 if there are none
};

}  // namespace maggi
