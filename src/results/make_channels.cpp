#include "results/make_channels.hpp"

#include <algorithm>
#include <cassert>

#include "results/law_channels.hpp"
#include "results/multiplier_channels.hpp"
#include "results/part_channels.hpp"
#include "results/physical_forces.hpp"
#include "results/tangent_channels.hpp"
#include "results/units.hpp"

namespace maggi::results {

namespace {

/// The entries of a vector that comes with the sample.
class VectorChannels final : public Channels {
 public:
  using Of = const Vector& (*)(const Sample& sample);
  VectorChannels(std::string group, const std::vector<Channel>& entries, Of of) : Channels(std::move(group)), of_(of) {
    for (const Channel& entry : entries) add(entry.name, entry.unit);
  }
  double* fill(SampleInUse& sample, double* values) override {
    if (empty()) return values;
    const Vector& entries = of_(*sample);
    return std::copy(entries.begin(), entries.end(), values);
  }

 private:
  Of of_;
};

class TimeChannel final : public Channels {
 public:
  TimeChannel() : Channels("time") { add("t", "s"); }
  double* fill(SampleInUse& sample, double* values) override {
    *values++ = sample->state.t;
    return values;
  }
};

std::vector<Channel> accelerations(const Shape& shape) {
  std::vector<Channel> channels;
  for (const Channel& v : shape.velocities) channels.push_back({v.name + "'", per_second(v.unit)});
  return channels;
}

std::vector<Channel> controls(const Shape& shape) {
  std::vector<Channel> channels;
  for (const Channel& control : shape.controls) channels.push_back({"control." + control.name, control.unit});
  return channels;
}

std::vector<Channel> reactions_along_velocities(const Shape& shape) {
  std::vector<Channel> channels;
  for (int i = 0; shape.m() > 0 && i < shape.n(); ++i) {
    const Channel& along = shape.identity_rates ? shape.coordinates[i] : shape.velocities[i];
    channels.push_back({"reaction." + along.name, shape.identity_rates ? force_along(along.unit) : ""});
  }
  return channels;
}

class PhysicalForceChannels final : public Channels {
 public:
  PhysicalForceChannels(const System& system, const UniqueForces& unique)
      : Channels("forces"), forces_(system, unique) {
    for (const Channel& force : forces_.channels()) add(force.name, force.unit);
    for (const std::string& why : forces_.left_out()) leave_out(why);
  }
  double* fill(SampleInUse& sample, double* values) override { return forces_.evaluate(*sample, values); }

 private:
  PhysicalForces forces_;
};

class EnergyChannels final : public Channels {
 public:
  explicit EnergyChannels(const System& system)
      : Channels("energies"), system_(system), workspace_(system.workspace()) {
    const Shape& shape = system.shape();
    if (!shape.has_energy) return;
    for (const char* name : {"energy.kinetic", "energy.potential", "energy.total"}) add(name, "J");
    balances_ = !shape.laws.empty();
    if (balances_)
      for (const char* name : {"energy.work", "energy.balance"}) add(name, "J");
  }
  double* fill(SampleInUse& sample, double* values) override {
    if (empty()) return values;
    const Energy energy = system_.energy(sample->state, *workspace_);
    *values++ = energy.kinetic, *values++ = energy.potential, *values++ = energy.total;
    if (sample.is_first()) at_start_ = energy.total - sample->work;
    if (balances_) *values++ = sample->work, *values++ = energy.total - at_start_ - sample->work;
    return values;
  }

 private:
  const System& system_;
  std::unique_ptr<Workspace> workspace_;
  bool balances_ = false;
  double at_start_ = 0.0;
};

class DrawingChannels final : public Channels {
 public:
  explicit DrawingChannels(const System& system)
      : Channels("drawing"), system_(system), workspace_(system.workspace()) {
    for (const Channel& each : system.shape().drawing) add(each.name, each.unit, each.where);
  }
  double* fill(SampleInUse& sample, double* values) override {
    system_.drawing(sample->state, *workspace_, {values, channels().size()});
    return values + channels().size();
  }

 private:
  const System& system_;
  std::unique_ptr<Workspace> workspace_;
};

class ResidualChannels final : public Channels {
 public:
  explicit ResidualChannels(const Shape& shape)
      : Channels("residuals"), position_(shape.s_p > 0), velocity_(shape.s_p + shape.s_v > 0) {
    if (position_) add("residual.position", "");
    if (velocity_) add("residual.velocity", ""), add("distance.singularity", "");
  }
  double* fill(SampleInUse& sample, double* values) override {
    if (position_) *values++ = sample->residuals.position;
    if (velocity_) *values++ = sample->residuals.velocity, *values++ = sample->distance_to_singularity;
    return values;
  }

 private:
  bool position_, velocity_;
};

/// A group that was not asked for.
class NoChannels final : public Channels {
 public:
  using Channels::Channels;
  double* fill(SampleInUse& /*sample*/, double* values) override { return values; }
};

}  // namespace

ChannelList make_channels(const System& system, const UniqueForces& unique, Reactions reactions,
                          const FurtherChannels& further) {
  const Shape& shape = system.shape();
  assert(unique.all() || unique.outputs.size() == shape.outputs.size());
  ChannelList list;
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(&system);
  if (mechanism && !unique.all() && reactions == Reactions::min_norm)
    list.least = std::make_unique<LeastReactions>(*mechanism);
  list.laws = std::make_unique<LawPower>(system);
  const auto add = [&list]<class Kind>(std::unique_ptr<Kind> channels) {
    Kind* const added = channels.get();
    list.all.push_back(std::move(channels));
    return added;
  };
  const auto add_vector = [&](const char* group, const std::vector<Channel>& entries, VectorChannels::Of of) {
    add(std::make_unique<VectorChannels>(group, entries, of));
  };
  add(std::make_unique<TimeChannel>());
  add_vector("coordinates", shape.coordinates, [](const Sample& s) -> const Vector& { return s.state.q; });
  add_vector("velocities", shape.velocities, [](const Sample& s) -> const Vector& { return s.state.v; });
  add_vector("accelerations", accelerations(shape),
             [](const Sample& s) -> const Vector& { return s.acceleration.vdot; });
  add(std::make_unique<MultiplierChannels>(shape, unique, reactions));
  add_vector("controls", controls(shape), [](const Sample& s) -> const Vector& { return s.acceleration.p; });
  add_vector("reactions", reactions_along_velocities(shape),
             [](const Sample& s) -> const Vector& { return s.acceleration.reaction; });
  if (further.parts)
    add(std::make_unique<PartChannels>(system, unique, reactions));
  else
    add(std::make_unique<NoChannels>("parts"));
  add(std::make_unique<PhysicalForceChannels>(system, unique));
  add(std::make_unique<LawForceChannels>(shape));
  add(std::make_unique<EnergyChannels>(system));
  add(std::make_unique<PowerChannels>(shape, *list.laws));
  add(std::make_unique<ContactChannels>(shape));
  if (further.tangent)
    add(std::make_unique<TangentChannels>(system, further.tangent->basis, further.tangent->start,
                                          further.tangent->mode));
  else
    add(std::make_unique<NoChannels>("tangent"));
  list.outputs = add(std::make_unique<OutputChannels>(system, unique, reactions));
  add(std::make_unique<DrawingChannels>(system));
  add(std::make_unique<ResidualChannels>(shape));
  add(std::make_unique<IdealityChannel>(shape));
  return list;
}

}  // namespace maggi::results
