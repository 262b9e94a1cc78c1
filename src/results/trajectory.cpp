#include "results/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace maggi {

namespace {

constexpr std::size_t values_per_chunk = 1 << 16;

}  // namespace

Trajectory::Trajectory(const System& system, const UniqueForces& unique, Reactions reactions,
                       const results::FurtherChannels& further)
    : system_(system), list_(results::make_channels(system, unique, reactions, further)) {
  for (const auto& each : list_.all) {
    if (groups_.empty() || groups_.back().name != each->group())
      groups_.push_back({each->group(), static_cast<int>(channels_.size()), 0});
    groups_.back().count += static_cast<int>(each->channels().size());
    channels_.insert(channels_.end(), each->channels().begin(), each->channels().end());
    left_out_.insert(left_out_.end(), each->left_out().begin(), each->left_out().end());
  }
  for (std::size_t i = 0; i < system.shape().controls.size(); ++i)
    if (!unique.control(i)) open_controls_.push_back(system.shape().controls[i].name);
  states_per_chunk_ = std::max<std::size_t>(1, values_per_chunk / channels_.size());
}

void Trajectory::accept(const Sample& sample) {
  results::SampleInUse in_use(sample, size_ == 0, *list_.laws, list_.least.get());
  double* const begin = next_state();
  double* at = begin;
  for (const auto& each : list_.all) {
    double* const end = each->fill(in_use, at);
    assert(end == at + each->channels().size());
    at = end;
  }
  const double* fault = std::find_if_not(begin, at, [](double value) { return std::isfinite(value); });
  if (fault != at) refuse(channels_[fault - begin], sample.state.t);
  ++size_;
}

bool Trajectory::follows() const {
  return std::ranges::any_of(list_.all, [](const auto& each) { return each->follows(); });
}

void Trajectory::pass(const State& state) {
  for (const auto& each : list_.all)
    if (each->follows()) each->pass(state);
}

void Trajectory::refuse(const Channel& channel, double t) const {
  const auto is_of = [&](const char* name) {
    const Group& those = group(name);
    const auto index = &channel - channels_.data();
    return index >= those.first && index < those.first + those.count;
  };
  const bool is_output = is_of("outputs"), is_formula = is_output || is_of("drawing");
  throw Error(
      Errc::numerics, channel.where,
      fmt::format("{}\"{}\" is not a finite number at t = {:.6g} s", is_output ? "the output " : "", channel.name, t),
      is_formula ? "a division by zero, a root or logarithm of a negative number, or too large; the run stops here"
                 : "the run stops here");
}

void Trajectory::clear() {
  size_ = 0;
  list_.outputs->forget();
}

double* Trajectory::next_state() {
  const std::size_t chunk = size_ / states_per_chunk_;
  if (chunk == chunks_.size())
    chunks_.push_back(std::make_unique_for_overwrite<double[]>(states_per_chunk_ * channels_.size()));
  return chunks_[chunk].get() + (size_ % states_per_chunk_) * channels_.size();
}

const double* Trajectory::state(std::size_t index) const {
  assert(index < size_);
  return chunks_[index / states_per_chunk_].get() + (index % states_per_chunk_) * channels_.size();
}

const Trajectory::Group& Trajectory::group(std::string_view name) const {
  const auto found = std::ranges::find(groups_, name, &Group::name);
  assert(found != groups_.end());
  return *found;
}

std::optional<int> Trajectory::find(std::string_view channel) const {
  const auto found = std::ranges::find(channels_, channel, &Channel::name);
  if (found == channels_.end()) return std::nullopt;
  return static_cast<int>(found - channels_.begin());
}

std::vector<double> Trajectory::values(int channel) const {
  std::vector<double> result(size_);
  for (std::size_t i = 0; i < size_; ++i) result[i] = (*this)(i, channel);
  return result;
}

}  // namespace maggi
