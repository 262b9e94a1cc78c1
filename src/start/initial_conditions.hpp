#pragma once
#include <memory>
#include <optional>

#include "dynamics/dynamics.hpp"
#include "maggi/conflict.hpp"
#include "maggi/initial_conditions.hpp"
#include "manifold/projection.hpp"

namespace maggi {

/// Completes what Start gives: positions, velocities, accelerations with multipliers, one after the other, or together
/// where a value of v̇, λ or a reaction is given or where speeds given fit in some configurations only. Contacts that
/// slide or stick as forces given want are found with these. Given values are kept. If every other value has a guess,
/// they change least in the mass metric; otherwise the best conditioned dependent ones are chosen and solved for, the
/// rest keeps its guess (0 by default). NoConsistentStart if there is none; Error (numerics) if what is given does not
/// determine it. Leaves the rank decision of the start in `dynamics`.
InitialConditions find_initial_conditions(Dynamics& dynamics, const Start& start);

/// The same in two parts, for those who look at the motion before the accelerations are asked for.
class StagedStart {
 public:
  /// Both must live as long as this object.
  StagedStart(Dynamics& dynamics, const Start& start);
  ~StagedStart();
  StagedStart(StagedStart&& other) noexcept;
  StagedStart& operator=(StagedStart&& other) noexcept;

  /// Positions and velocities alone, whatever the accelerations; nothing if there are none that fit.
  std::optional<State> motion();
  /// All the rest. Error as find_initial_conditions().
  InitialConditions complete();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// Positions and velocities alone: StagedStart::motion().
std::optional<State> find_consistent_state(Dynamics& dynamics, const Start& start);

}  // namespace maggi
