#pragma once
#include "maggi/run_options.hpp"
#include "results/channels.hpp"
#include "results/reaction_parts.hpp"

namespace maggi::results {

/// reaction.x1.guide: what one constraint, law or control contributes to reaction.x1. One that needs a multiplier that
/// is not unique is treated like it.
class PartChannels final : public Channels {
 public:
  PartChannels(const System& system, const UniqueForces& forces, Reactions reactions);
  double* fill(SampleInUse& sample, double* values) override;

 private:
  ReactionParts parts_;
  std::vector<int> shown_;  // parts that have a channel
  Vector values_;
};

}  // namespace maggi::results
