#include "results/law_channels.hpp"

#include <algorithm>

namespace maggi::results {

LawForceChannels::LawForceChannels(const Shape& shape) : Channels("forces") {
  for (const Channel& law : shape.laws) add("force." + law.name, law.unit);
}

double* LawForceChannels::fill(SampleInUse& sample, double* values) {
  if (empty()) return values;
  const Vector& tau = sample->acceleration.tau;
  return std::copy(tau.begin(), tau.end(), values);
}

PowerChannels::PowerChannels(const Shape& shape, const LawPower& laws) : Channels("powers") {
  if (shape.laws.empty()) return;
  for (const std::string& name : laws.names()) add("power." + name, "W");
  add("power.constraints", "W");
}

double* PowerChannels::fill(SampleInUse& sample, double* values) {
  if (empty()) return values;
  const LawPower& power = sample.laws();
  values = std::copy(power.of_laws().begin(), power.of_laws().end(), values);
  *values++ = power.of_constraints();
  return values;
}

ContactChannels::ContactChannels(const Shape& shape) : Channels("contacts"), contacts_(shape.contacts) {
  for (const Contact& contact : contacts_) add("contact." + contact.name, "");
}

double* ContactChannels::fill(SampleInUse& sample, double* values) {
  for (const Contact& contact : contacts_) {
    const Vector sense = sample->mode ? Vector(sample->mode->sense(contact.laws)) : Vector::Zero(2);
    *values++ = contact.laws.size() == 1 ? sense[0] : sense.norm() > 0.0;
  }
  return values;
}

IdealityChannel::IdealityChannel(const Shape& shape) : Channels("residuals") {
  if (!shape.laws.empty()) add("residual.ideality", "");
}

double* IdealityChannel::fill(SampleInUse& sample, double* values) {
  if (!empty()) *values++ = sample.laws().ideality();
  return values;
}

}  // namespace maggi::results
