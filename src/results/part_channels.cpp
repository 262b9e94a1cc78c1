#include "results/part_channels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/multiplier_channels.hpp"
#include "results/units.hpp"

namespace maggi::results {

PartChannels::PartChannels(const System& system, const UniqueForces& forces, Reactions reactions)
    : Channels("parts"), parts_(system) {
  const Shape& shape = system.shape();
  for (std::size_t i = 0; i < parts_.parts().size(); ++i) {
    const ReactionParts::Part& part = parts_.parts()[i];
    const std::string name = fmt::format("reaction.{}.{}", part.along, part.of);
    const bool unique = std::ranges::all_of(part.rows, [&](int row) { return forces.multiplier(row); });
    if (!unique && reactions == Reactions::unique_only) {
      leave_out(fmt::format("{} is left out: {}", name, why_not_unique));
      continue;
    }
    const std::string unit = shape.identity_rates ? force_along(shape.coordinates[part.entry].unit) : "";
    add(name + (unique ? "" : " (min-norm)"), unit);
    shown_.push_back(static_cast<int>(i));
  }
}

double* PartChannels::fill(SampleInUse& sample, double* values) {
  if (empty()) return values;
  parts_.evaluate(sample->state, sample.shown(), values_);
  for (const int part : shown_) *values++ = values_[part];
  return values;
}

}  // namespace maggi::results
