#pragma once
#include "results/channels.hpp"
#include "results/tangent_motion.hpp"

namespace maggi::results {

/// tangent.u1, tangent.u1', tangent.M.1.1, tangent.h.1, tangent.energy.1: see TangentMotion; of directions that are not
/// free in the present mode 0
/// constrained.x1, gauss       the cosines of the projective criterion, Gauss's measure of constraint
/// tangent.selection           how often D has been chosen again: where it changes, u jumps
class TangentChannels final : public Channels {
 public:
  TangentChannels(const System& system, const TangentBasis& basis, const State& start, const Mode& mode);
  double* fill(SampleInUse& sample, double* values) override;
  bool follows() const override { return true; }
  void pass(const State& state) override { motion_.renew(state); }

 private:
  TangentMotion motion_;
  Mode mode_;  // of the start: what holds for a sample without one
};

}  // namespace maggi::results
