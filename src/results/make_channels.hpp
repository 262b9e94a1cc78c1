#pragma once
#include <memory>
#include <vector>

#include "maggi/run_options.hpp"
#include "results/channels.hpp"
#include "results/further_channels.hpp"
#include "results/output_channels.hpp"

namespace maggi::results {

/// All channels of a motion, in their order; those of a group follow each other.
struct ChannelList {
  std::vector<std::unique_ptr<Channels>> all;
  // what some of them need of a sample
  std::unique_ptr<LawPower> laws;
  std::unique_ptr<LeastReactions> least;  ///< only if forces of least norm are shown
  OutputChannels* outputs = nullptr;      ///< one of them: it counts angles from step to step
};

ChannelList make_channels(const System& system, const UniqueForces& unique, Reactions reactions,
                          const FurtherChannels& further);

}  // namespace maggi::results
