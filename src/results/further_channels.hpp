#pragma once
#include <optional>
#include <string>

#include "integration/settings.hpp"
#include "results/tangent_motion.hpp"

namespace maggi::results {

/// Channels of a motion besides the usual ones.
struct FurtherChannels {
  struct Tangent {
    TangentBasis basis;
    State start;  ///< of the motion
    Mode mode;
  };
  std::optional<Tangent> tangent{};
  bool parts = false;  ///< of the reactions
};

/// Those that the settings ask for, of a motion that begins at a state. `basis`: of the formulation.
inline FurtherChannels further_channels(const Settings& settings, const std::string& basis, const State& start,
                                        const Mode& mode) {
  FurtherChannels further{.tangent = {}, .parts = settings.shows(Further::reactions)};
  if (settings.shows(Further::tangent))
    further.tangent = {.basis = {basis, settings.continuity}, .start = start, .mode = mode};
  return further;
}

}  // namespace maggi::results
