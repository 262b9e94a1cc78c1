#include "integration/event/contact_source.hpp"

#include <cmath>

#include "base/largest.hpp"

namespace maggi::integration {

ContactSource::ContactSource(Dynamics& dynamics, const IntegrateOptions& options)
    : dynamics_(dynamics), options_(options), contacts_(dynamics), slack_(dynamics.shape().contacts.size(), 0.0) {}

void ContactSource::begin(const State& start, Mode& mode) {
  mode = contacts_.begin(start, mode);
  find_slack(start, mode);
}

void ContactSource::values(const Instant& at, const Acceleration& a, double* values) {
  for (int c = 0; c < static_cast<int>(slack_.size()); ++c) {
    values[2 * c] = contacts_.speed(c, at);
    values[2 * c + 1] = contacts_.reserve(c, at, a) + slack_[c];
  }
}

/// A function that begins at zero crosses nothing: a contact at its limit would hold for ever. It is watched from a
/// little beyond its limit on.
void ContactSource::find_slack(const State& at, const Mode& mode) {
  constexpr double close = 1e-7, little = 1e-6;  // of the force that it can bear
  Acceleration a;
  dynamics_.set_mode(mode);
  dynamics_.decide_rows(at);
  slack_.assign(slack_.size(), 0.0);
  if (!dynamics_.solve(at, a)) return;
  for (int c = 0; c < static_cast<int>(slack_.size()); ++c) {
    if (!contacts_.sticks(c, mode)) continue;
    const double reserve = contacts_.reserve(c, at, a), bears = dynamics_.workspace().terms.hold[c];
    if (reserve < close * bears) slack_[c] = little * bears;
  }
}

/// In a plane the speed along the last direction is zero also where the motion turns quickly. It has come to rest only
/// if what is left of the speed can be the error of a step, as far as the projection may change one.
bool ContactSource::passes_by(int contact, const State& at) {
  constexpr double tolerances = 1e3;
  const double error = tolerances * (options_.atol + options_.rtol * largest(at.v));
  return dynamics_.shape().contacts[contact].laws.size() > 1 && contacts_.velocity(contact, at).norm() > error;
}

void ContactSource::fire(int i, const State& at, const Acceleration& /*a*/, Consequence& consequence) {
  const Mode before = dynamics_.mode();
  const int c = i / 2;
  const Contact& contact = dynamics_.shape().contacts[c];
  const Vector sense = before.sense(contact.laws);
  const bool held = contacts_.sticks(c, before);
  if (!held && passes_by(c, at)) {
    dynamics_.turn(contact, contacts_.velocity(c, at).normalized());
    consequence.mode.sense = dynamics_.mode().sense;
    return;
  }
  consequence.mode = contacts_.change(c, held, at, consequence.mode);
  find_slack(at, consequence.mode);

  EventRecord record;
  record.name = contact.name;
  if (contacts_.sticks(c, consequence.mode))
    record.what = "sticks";
  else if (held)
    record.what = "breaks loose";
  else
    record.what = Vector(consequence.mode.sense(contact.laws)).dot(sense) > 0.0 ? "slides on" : "slides back";
  for (const int row : contact.rows)
    if (consequence.mode.rows[row] != before.rows[row])
      (before.rows[row] ? record.off : record.on).push_back(dynamics_.shape().rows[row].name);
  consequence.records.push_back(std::move(record));

  dynamics_.set_mode(before);  // the run changes it
  dynamics_.decide_rows(at);
}

}  // namespace maggi::integration
