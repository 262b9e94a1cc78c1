#pragma once
#include "results/channels.hpp"

namespace maggi::results {

// what there is to say about constraints that are not ideal; nothing without laws

/// force.drag: τ of a law
class LawForceChannels final : public Channels {
 public:
  explicit LawForceChannels(const Shape& shape);
  double* fill(SampleInUse& sample, double* values) override;
};

/// power.drag, power.floor, power.constraints: see LawPower
class PowerChannels final : public Channels {
 public:
  PowerChannels(const Shape& shape, const LawPower& laws);
  double* fill(SampleInUse& sample, double* values) override;
};

/// contact.floor    0: it sticks, ±1: it slides in this sense (in a plane 1)
class ContactChannels final : public Channels {
 public:
  explicit ContactChannels(const Shape& shape);
  double* fill(SampleInUse& sample, double* values) override;

 private:
  const std::vector<Contact>& contacts_;
};

/// residual.ideality: see LawPower
class IdealityChannel final : public Channels {
 public:
  explicit IdealityChannel(const Shape& shape);
  double* fill(SampleInUse& sample, double* values) override;
};

}  // namespace maggi::results
