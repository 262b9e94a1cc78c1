#pragma once
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi {

/// Which forces the equations determine. Without entries: all of them.
struct UniqueForces {
  std::vector<bool> multipliers;  ///< by row; true for rows that are not in force
  std::vector<bool> outputs;      ///< by output, among them the forces of joints
  std::vector<bool> controls;     ///< by control

  bool multiplier(int row) const { return multipliers.empty() || multipliers[row]; }
  bool output(std::size_t output) const { return outputs.empty() || outputs[output]; }
  bool control(std::size_t control) const { return controls.empty() || controls[control]; }
  bool all() const { return multipliers.empty(); }
};

/// Redundant constraints leave a part of λ undetermined: λ + z gives the same motion if Cᵀz = 0. A force is a function
/// of λ, so it is unique at a configuration if no z there changes it. More controls than servo constraints leave a part
/// of p undetermined in the same way; z has entries for λ and p.
///
/// A channel of a run is unique if this holds at the start and at states nearby: what is unique only at the start, as a
/// force across a plane that turns, would be lost with the first step.
class UndeterminedForces {
 public:
  /// At the start, from the rank decision that `dynamics` has made there.
  UndeterminedForces(Dynamics& dynamics, const State& start);
  /// A few states nearby as well, but not beyond most_for_certificate.
  void look_nearby(Dynamics& dynamics);

  bool any() const { return !states_.empty(); }
  /// What is unique at all states that were looked at. `system`: that of `dynamics`, or one with the same constraints
  /// and other outputs.
  UniqueForces unique(const System& system) const;

 private:
  struct Undetermined {
    State state;
    Matrix Z;           ///< (m + controls) × k, see undetermined_multipliers()
    double negligible;  ///< change relative to the largest that counts as rounding
  };

  std::vector<Undetermined> states_;  // none: everything is unique
};

/// The joint of whose force or torque on its second body an output is a component: "main" of "main.force.y". Empty for
/// other outputs.
std::string joint_of_force(const Channel& output);

/// Of a run that begins there.
UniqueForces find_unique_forces(Dynamics& dynamics, const State& start);

}  // namespace maggi
