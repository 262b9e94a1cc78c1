#include "results/multiplier_channels.hpp"

#include <fmt/format.h>

#include "results/units.hpp"

namespace maggi::results {

MultiplierChannels::MultiplierChannels(const Shape& shape, const UniqueForces& forces, Reactions reactions)
    : Channels("multipliers") {
  for (const int i : shape.constraints()) {
    const Row& row = shape.rows[i];
    if (!row.has_multiplier()) continue;
    const bool unique = forces.multiplier(i);
    if (!unique && reactions == Reactions::unique_only) {
      leave_out(fmt::format("lambda.{} is left out: {}", row.name, why_not_unique));
      continue;
    }
    add(fmt::format("lambda.{}{}", row.name, unique ? "" : " (min-norm)"), multiplier_unit(row.unit, row.level));
    rows_.push_back(i);
  }
}

double* MultiplierChannels::fill(SampleInUse& sample, double* values) {
  for (const int row : rows_) *values++ = sample.shown().lambda[row];
  return values;
}

}  // namespace maggi::results

namespace maggi {

template <>
const ChoiceList<Reactions>& choice_list() {
  static const ChoiceList<Reactions> list("choice of reactions",
                                          {{Reactions::unique_only, "unique"}, {Reactions::min_norm, "min-norm"}});
  return list;
}
template class Choice<Reactions>;

}  // namespace maggi
