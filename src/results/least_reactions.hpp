#pragma once
#include <memory>
#include <vector>

#include "basis/metric_factor.hpp"
#include "integration/sink/sink.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::results {

/// How redundant constraints of a mechanism share the load: of all λ that give the same motion the one with the least
/// squares of all forces and torques of joints, on their second bodies, and of all multipliers of drivers, couplings
/// and formulas. It does not depend on which joints form the tree, nor on any axes.
///
///     min over y of  ‖w(λ + Z y)‖² + ‖λ_f + Z_f y‖²,   Cᵀ Z = 0,   w: forces and torques of joints
class LeastReactions {
 public:
  explicit LeastReactions(const MechanismSystem& system);

  /// The accelerations of a sample with this λ.
  const Acceleration& of(const Sample& sample);

 private:
  Matrix undetermined(const State& state, const Mode& mode);
  Vector wrenches(const State& state, const Acceleration& a);

  const MechanismSystem& system_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<int> of_joints_;  // outputs: forces and torques on second bodies
  std::vector<int> others_;     // rows that are no rows of joints
  std::vector<double> outputs_;
  Acceleration shared_;
};

}  // namespace maggi::results
