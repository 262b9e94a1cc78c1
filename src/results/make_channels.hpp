#pragma once
#include <memory>
#include <vector>

#include "maggi/run_options.hpp"
#include "results/channels.hpp"
#include "results/output_channels.hpp"

namespace maggi::results {

/// All channels of a motion, in their order; those of a group follow each other.
struct ChannelList {
  std::vector<std::unique_ptr<Channels>> all;
  std::unique_ptr<LawPower> laws;     ///< what some of them need of a sample
  OutputChannels* outputs = nullptr;  ///< one of them: it counts angles from step to step
};

/// `undetermined`: see undetermined_multipliers(); no columns if every multiplier is unique.
ChannelList make_channels(const System& system, const Matrix& undetermined, Reactions reactions);

}  // namespace maggi::results
