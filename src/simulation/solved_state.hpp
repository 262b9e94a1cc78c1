#pragma once
#include <string>
#include <vector>

#include "maggi/error.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/mode.hpp"

namespace maggi {

/// A state, what is in force there, and its accelerations and forces.
struct SolvedState {
  State state;
  Mode mode;
  Acceleration acceleration;
  Matrix open;  ///< what the equations leave open of λ, see undetermined_multipliers()
};

/// A value of a state that is asked for.
struct NamedValue {
  std::string name;
  double value;
  Where where;
};

/// Error (numerics) if the equations have no solution there.
SolvedState solve_at(const System& system, const State& state, const Mode& mode);

/// What is in force at a state: the rows of `mode`, and contacts that stick or slide as their sliding velocities say.
Mode mode_at(const System& system, const State& state, const Mode& mode);

/// The state with other values of some coordinates ("x"), velocities ("x'") or of "t"; the others change as little as
/// the constraints allow, and what is in force is decided there. Error (model) with the nearest name if there is no
/// such value; NoConsistentStart if the constraints do not allow them.
SolvedState solve_changed(const System& system, const SolvedState& from, const std::vector<NamedValue>& values);

}  // namespace maggi
