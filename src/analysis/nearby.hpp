#pragma once
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi::analysis {

/// Sine above which a row is taken for independent at a nearby state. It is larger than that of the start: a state that
/// satisfies the constraints to 1e-13 may be off by 1e-13 / sine, and C by as much.
constexpr double rank_tolerance = 1e-5;

/// The active rows at one state.
struct Rows {
  Matrix M, C;
  Vector gamma;
  Vector residual;  ///< of each row: the larger of |f| and |φ|
};

/// At the v̇ and λ given, for rows that are nonlinear in v̇.
Rows rows_at(Dynamics& dynamics, const State& at, const Acceleration& acceleration);

enum class Speeds { nearby, any };  ///< velocities changed as little as positions; by about 1 + |v|

/// A few states near `at` that satisfy the constraints: moved along random admissible directions, in velocity too, and
/// in time if the constraints contain it. Fewer, or none, if no step leads back to the constraints.
std::vector<State> nearby_states(Dynamics& dynamics, const State& at, Speeds speeds);

/// The rows at such states, where they are finite.
std::vector<Rows> nearby_rows(Dynamics& dynamics, const State& at, const Acceleration& acceleration);

}  // namespace maggi::analysis
