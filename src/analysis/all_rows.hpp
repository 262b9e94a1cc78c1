#pragma once
#include <vector>

#include "analysis/nearby.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::analysis {

/// All constraints of a mechanism in absolute coordinates: the rows of all its joints, of the tree too, and then the
/// others that are in force in a run: drivers, couplings, formulas, stops, friction that sticks.
///
/// Row by row, γ is what is left of it at the acceleration of a motion of the joints of the tree. These have nothing
/// left then, and a combination of rows that vanishes has left what its γ sum up to: yᵀC = 0 ⇒ yᵀ(γ − C v̇) = yᵀγ.
class AllRows {
 public:
  /// `all_joints`: absolute_twin() of the system of `dynamics`.
  AllRows(const MechanismSystem& all_joints, Dynamics& dynamics);

  const Shape& shape() const { return shape_; }               ///< its rows; those that are off in the mode are so there
  const std::vector<int>& active() const { return active_; }  ///< of these rows
  Rows at(const State& state, const Acceleration& acceleration);
  std::vector<Rows> nearby(const State& state);

 private:
  const MechanismSystem& mechanism() const { return static_cast<const MechanismSystem&>(dynamics_.system()); }
  Vector left(const Rows& reduced, const Vector& vdot) const;

  const MechanismSystem& all_joints_;
  Dynamics& dynamics_;
  std::unique_ptr<Workspace> workspace_;  // of all_joints
  Shape shape_;
  std::vector<int> place_;   // of the rows of the system among all rows; −1: where a body is cut in two
  std::vector<int> lifted_;  // rows of the system that are no rows of joints
  std::vector<int> active_;
};

}  // namespace maggi::analysis
