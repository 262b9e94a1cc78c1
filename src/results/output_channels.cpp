#include "results/output_channels.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "results/multiplier_channels.hpp"

namespace maggi::results {

namespace {

Acceleration zero_acceleration(const Shape& shape) {
  return {Vector::Zero(shape.n()), Vector::Zero(shape.m()), Vector::Zero(shape.n()), Vector::Zero(shape.laws.size()),
          Vector::Zero(shape.controls.size())};
}

}  // namespace

OutputChannels::OutputChannels(const System& system, const UniqueForces& forces, Reactions reactions)
    : Channels("outputs"),
      system_(system),
      shape_(system.shape()),
      workspace_(system.workspace()),
      values_(shape_.outputs.size()),
      still_(zero_acceleration(shape_)) {
  for (std::size_t i = 0; i < shape_.outputs.size(); ++i) {
    const Channel& output = shape_.outputs[i];
    const bool unique = forces.output(i);
    if (!unique && reactions == Reactions::unique_only) {
      leave_out(fmt::format("{} is left out: {}", output.name, why_not_unique));
      continue;
    }
    add(output.name + (unique ? "" : " (min-norm)"), output.unit, output.where);
    outputs_.push_back(static_cast<int>(i));
  }
}

double* OutputChannels::fill(SampleInUse& sample, double* values) {
  if (values_.empty()) return values;
  system_.outputs(sample->state, sample.shown(), *workspace_, values_);
  count_on();
  for (const int output : outputs_) *values++ = values_[output];
  return values;
}

void OutputChannels::pass(const State& state) {
  system_.outputs(state, still_, *workspace_, values_);  // the cyclic ones need no acceleration
  count_on();
}

/// Unwraps angles and flips the signs of quaternions, so that outputs are continuous.
void OutputChannels::count_on() {
  constexpr double turn = 2.0 * std::numbers::pi;
  std::size_t k = 0;
  for (const auto& [first, count] : shape_.cyclic) {
    Eigen::Map<Vector> now(values_.data() + first, count);
    if (counted_.size() < k + count) counted_.insert(counted_.end(), now.begin(), now.end());
    Eigen::Map<Vector> before(counted_.data() + k, count);
    if (count == 1)
      now[0] += turn * std::round((before[0] - now[0]) / turn);
    else if (now.dot(before) < 0.0)
      now = -now;
    before = now;
    k += count;
  }
}

}  // namespace maggi::results
