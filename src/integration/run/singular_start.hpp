#pragma once
#include <memory>

#include "integration/run/run_end.hpp"
#include "integration/run/run_state.hpp"
#include "integration/singular/singular_crossing.hpp"

namespace maggi::integration {

/// A run whose start is a singular configuration: the step along its branch, or the reason why there is none.
///
/// With velocities v₀ the branch is the one along v₀. At rest nothing selects a branch: there is one motion from rest
/// along each of them, with the acceleration τ τᵀh / τᵀMτ along its tangent τ.
class SingularStart {
 public:
  SingularStart(RunState& run, RunEnd& end) : run_(run), end_(end) {}

  /// Returns false if the run must stop, true in all other cases; crossing() is then the step away from the start, none
  /// if the start is no singular configuration.
  bool leave();
  SingularCrossing* crossing() { return crossing_.get(); }
  const State& nearby() const { return nearby_; }  ///< a state near the start where the rows have their full rank

 private:
  bool is_searched() const;
  bool has_higher_rank_along_velocities();
  bool leave_at_rest();
  bool leave_along(const Vector& vdot);
  void restore_factor();

  RunState& run_;
  RunEnd& end_;
  std::unique_ptr<SingularCrossing> crossing_;
  State nearby_;
};

}  // namespace maggi::integration
