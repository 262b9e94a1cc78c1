#pragma once
#include "base/choice_list.hpp"
#include "maggi/run_options.hpp"
#include "results/channels.hpp"

namespace maggi::results {

/// Why a channel is left out that depends on a multiplier that is not unique.
inline constexpr const char* why_not_unique =
    "the constraints depend on each other, so it is not unique (min-norm shows the one of least norm)";

/// lambda.guide of the constraints; one that is not unique is absent or marked (min-norm)
class MultiplierChannels final : public Channels {
 public:
  MultiplierChannels(const Shape& shape, const UniqueForces& forces, Reactions reactions);
  double* fill(SampleInUse& sample, double* values) override;

 private:
  std::vector<int> rows_;  // those that have a channel
};

}  // namespace maggi::results

namespace maggi {
template <>
const ChoiceList<Reactions>& choice_list();
}  // namespace maggi
