#pragma once
#include "integration/event/event_source.hpp"

namespace maggi::integration {

/// The events of the user: rows are switched on and off, or the run stops. An event that would change nothing in the
/// present mode is not watched.
class SwitchSource final : public EventSource {
 public:
  explicit SwitchSource(Dynamics& dynamics) : dynamics_(dynamics), events_(dynamics.shape().events) {}

  int count() const override { return static_cast<int>(events_.size()); }
  Crossing crossing(int i) const override { return events_[i].crossing; }
  bool watched(int i) const override;
  void values(const Instant& at, const Acceleration& a, double* values) override;
  void fire(int i, const State& at, const Acceleration& a, Consequence& consequence) override;

 private:
  Dynamics& dynamics_;
  const std::vector<Switch>& events_;
};

}  // namespace maggi::integration
