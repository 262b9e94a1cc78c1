#pragma once
#include <vector>

#include "integration/event/stops.hpp"

namespace maggi::integration {

/// One-sided constraints that are hit, and those that no longer press. Of each there are two functions, one watched at
/// a time:
///
///     open     its gap f falls to zero: an impact
///     closed   its multiplier λ falls to zero: it is released
class StopSource final : public EventSource {
 public:
  explicit StopSource(Dynamics& dynamics) : dynamics_(dynamics), stops_(dynamics), begin_(count() / 2, 0.0) {}

  int count() const override { return 2 * static_cast<int>(stops_.rows().size()); }
  Crossing crossing(int /*i*/) const override { return Crossing::falling; }
  bool keeps_positive(int /*i*/) const override { return true; }
  void begin(const State& start, Mode& mode) override;
  void arm(const State& at) override;
  bool watched(int i) const override { return dynamics_.mode().rows[row(i)] == (i % 2 == 1); }
  void values(const Instant& at, const Acceleration& a, double* values) override;
  void fire(int i, const State& at, const Acceleration& a, Consequence& consequence) override;

 private:
  int row(int i) const { return stops_.rows()[i / 2]; }
  void refuse_controls() const;

  Dynamics& dynamics_;
  Stops stops_;
  std::vector<double> begin_;  // the gap from which one is watched: 0, or less by rounding and drift where it opened
};

}  // namespace maggi::integration
