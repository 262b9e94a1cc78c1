#include "maggi/sweep/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "maggi/error.hpp"

namespace maggi {

namespace {

/// The mixing function of SplitMix64 [SteeleLeaFlood2014]: a bijection of 64-bit numbers that leaves no pattern.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30u)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27u)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31u);
}

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;

/// Number k of the stream with this key.
std::uint64_t random_bits(std::uint64_t key, std::uint64_t k) { return mix(key + (k + 1) * golden); }

/// Inside (0, 1), the ends excluded.
double random_part(std::uint64_t key, std::uint64_t k) {
  return (static_cast<double>(random_bits(key, k) >> 11u) + 0.5) * 0x1p-53;
}

/// Of seed, axis and purpose; by the name of the axis, so that further axes do not change its draws.
std::uint64_t key_of(std::uint64_t seed, const std::string& name, std::uint64_t purpose) {
  std::uint64_t key = mix(seed + golden * purpose);
  for (const char c : name) key = mix(key ^ static_cast<unsigned char>(c)) + golden;
  return key;
}

/// A permutation of 0 … size − 1 that needs no memory: four rounds of a Feistel network on the next even number of
/// bits, repeated until the result is in range.
std::uint64_t permuted(std::uint64_t k, std::uint64_t size, std::uint64_t key) {
  const auto half = std::max(1U, static_cast<unsigned>(std::bit_width(size - 1) + 1) / 2);
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = k >> half, right = k & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      left ^= random_bits(key + round, right) & mask;
      std::swap(left, right);
    }
    k = (left << half) | right;
  } while (k >= size);
  return k;
}

[[noreturn]] void refuse(const char* option, std::string what, std::string help) {
  throw Error(Errc::model, {option}, std::move(what), std::move(help));
}

}  // namespace

Design::Design(std::vector<Axis> axes, std::optional<std::uint64_t> draws, std::uint64_t seed, Sampling sampling)
    : axes_(std::move(axes)), draws_(draws.value_or(1)), seed_(seed), sampling_(sampling) {
  for (auto axis = axes_.begin(); axis != axes_.end(); ++axis)
    if (std::any_of(axes_.begin(), axis, [&](const Axis& other) { return other.name() == axis->name(); }))
      refuse("--over", fmt::format("\"{}\" is varied twice", axis->name()), "one --over for each quantity");
  const bool drawn = std::ranges::any_of(axes_, &Axis::drawn);
  if (drawn && !draws) refuse("--runs", "how many values are to be drawn?", "for example --runs 1000");
  if (!drawn && draws)
    refuse("--runs", "nothing is drawn, so the number of runs is that of the values given",
           "leave it out, or draw with --over \"m=uniform(1,2)\"");
  if (!drawn && sampling == Sampling::latin_hypercube)
    refuse("--design", "a Latin hypercube is a way to draw, and nothing is drawn", "--over \"m=uniform(1,2)\" draws");
  if (draws_ == 0) refuse("--runs", "no run is asked for", "for example --runs 1000");

  double total = static_cast<double>(draws_);
  for (const Axis& axis : axes_) total *= static_cast<double>(axis.size());
  if (!(total < Axis::most)) refuse("--over", fmt::format("{:.2g} runs are too many to count", total), "larger steps");
  for (const Axis& axis : axes_) points_ *= axis.size();
}

std::uint64_t Design::place(std::uint64_t run, std::size_t axis) const {
  if (axes_[axis].drawn()) return run % draws_;
  std::uint64_t point = run / draws_;
  for (std::size_t i = axes_.size() - 1; i > axis; --i) point /= axes_[i].size();
  return point % axes_[axis].size();
}

double Design::value(std::uint64_t run, std::size_t axis) const {
  const std::uint64_t k = place(run, axis);
  return axes_[axis].drawn() ? draw(k, axis) : axes_[axis].value(k);
}

std::vector<double> Design::values(std::uint64_t run) const {
  std::vector<double> result(axes_.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = value(run, i);
  return result;
}

std::string Design::text() const {
  if (std::ranges::none_of(axes_, &Axis::drawn)) return "none";
  return fmt::format("{} {}, seed {}", draws_, sampling_ == Sampling::random ? "at random" : "in a Latin hypercube",
                     seed_);
}

double Design::draw(std::uint64_t k, std::size_t i) const {
  const Axis& axis = axes_[i];
  const double part = random_part(key_of(seed_, axis.name(), 1), k);
  if (sampling_ == Sampling::random) return axis.quantile(part);
  const std::uint64_t stratum = permuted(k, draws_, key_of(seed_, axis.name(), 2));
  return axis.quantile((static_cast<double>(stratum) + part) / static_cast<double>(draws_));
}

}  // namespace maggi
