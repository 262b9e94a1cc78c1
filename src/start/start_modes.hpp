#pragma once
#include <optional>
#include <string>
#include <vector>

#include "start/start_problem.hpp"

namespace maggi::integration {

/// Where forces are given at the start, contacts slide or stick as these want, which is found with them:
///
///     slides   τ + μ |N| σ = 0,   σ·v_t > 0, or v_t = 0 and σ·v̇_t ≥ 0
///     sticks   v_t = 0,           |τ| ≤ μ_s |N|
///
/// A mode is the sense σ of all laws, zero for a contact that sticks. Its equations are solved, then its inequalities
/// are looked at.
class StartModes {
 public:
  static constexpr std::size_t most = 81;  ///< three for each of four contacts

  StartModes(const System& system, Workspace& w, const Demands& demands);

  /// All that there are, `most` at most: first the one that the speeds suggest, then those that differ from it in one
  /// contact, in two, ...
  std::vector<Vector> nearest_first(const State& state);

  /// Why a solution in a mode is none, and where it points to.
  struct Objection {
    std::string text;
    Vector instead;  ///< the mode that its motion would have
    Vector turned;   ///< its velocities, but sliding as the mode wants: there may be a solution with the other sign
  };
  std::optional<Objection> object(const State& state, const Acceleration& a, const Vector& sense);

  /// As the speeds are, where there are any; otherwise it stays. In a plane the sense follows the motion.
  Vector turned_with(const State& state, Vector sense);

 private:
  const System& system_;
  const Shape& shape_;
  Workspace& w_;
  std::vector<int> contacts_;  // in force
};

}  // namespace maggi::integration
