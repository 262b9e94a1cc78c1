#include "integration/event/contact_source.hpp"

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"

namespace maggi::integration {

namespace {
// a contact that others hold begins to slide: more than the drift of a run leaves of v_t, of 1 + |v|
constexpr double begins_to_slide = 1e-7;
}  // namespace

ContactSource::ContactSource(Dynamics& dynamics, const IntegrateOptions& options)
    : dynamics_(dynamics),
      options_(options),
      rows_(dynamics.system()),
      contacts_(dynamics),
      first_contact_(2 * static_cast<int>(rows_.rows().size())),
      begin_(rows_.rows().size(), 0.0),
      slack_(dynamics.shape().contacts.size(), 0.0) {}

bool ContactSource::watched(int i) const {
  const Mode& mode = dynamics_.mode();
  if (i < first_contact_) return mode.rows[row(i)] == (i % 2 == 1);
  const int contact = (i - first_contact_) / 3;
  const bool sticks = contacts_.sticks(contact, mode), slides = contacts_.slides(contact, mode);
  switch ((i - first_contact_) % 3) {
    case 0: return slides && contacts_.pressed(contact, mode);
    case 1: return sticks;
    default: return !sticks && !slides && contacts_.pressed(contact, mode);
  }
}

/// A function that begins at zero crosses nothing: a contact at its limit would hold permanently. It is watched from a
/// little beyond its limit on.
void ContactSource::arm(const State& at) {
  constexpr double close = 1e-7, little = 1e-6;  // of the force that it can bear
  rows_.look(at, dynamics_.workspace());
  for (std::size_t k = 0; k < begin_.size(); ++k) begin_[k] = std::min(0.0, rows_.gap(rows_.rows()[k]));
  Acceleration a;
  std::ranges::fill(slack_, 0.0);
  const auto holds = [&](std::size_t c) { return contacts_.sticks(static_cast<int>(c), dynamics_.mode()); };
  bool any = false;
  for (std::size_t c = 0; c < slack_.size(); ++c) any = any || holds(c);
  if (!any || !dynamics_.solve(at, a)) return;
  for (std::size_t c = 0; c < slack_.size(); ++c) {
    if (!holds(c)) continue;
    const double reserve = contacts_.reserve(static_cast<int>(c), at, a), bears = dynamics_.workspace().terms.hold[c];
    if (reserve < close * bears) slack_[c] = little * bears;
  }
}

void ContactSource::values(const Instant& at, const Acceleration& a, double* values) {
  const ForceSharing& sharing = dynamics_.sharing();
  Workspace& w = dynamics_.workspace();
  dynamics_.system().position(at, w);
  for (std::size_t k = 0; k < begin_.size(); ++k) {
    const int i = rows_.rows()[k];
    values[2 * k] = w.terms.f[i] - begin_[k];
    values[2 * k + 1] = sharing.of_row(i) ? sharing.margin : a.lambda[i];
  }
  const double size = 1.0 + largest(Eigen::Map<const Vector>(at.v, dynamics_.shape().n()));
  for (int c = 0; c < static_cast<int>(slack_.size()); ++c) {
    double* of_contact = values + first_contact_ + 3 * c;
    of_contact[0] = contacts_.speed(c, at);
    of_contact[2] = begins_to_slide * size - contacts_.velocity(c, at).norm();
    of_contact[1] = sharing.of_row(dynamics_.shape().contacts[c].rows[0]) ? sharing.margin
                                                                          : contacts_.reserve(c, at, a) + slack_[c];
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
  if (i < first_contact_) {
    if (i % 2 == 0)
      consequence.struck.push_back(row(i));
    else if (dynamics_.sharing().of_row(row(i)))
      consequence.ended.sharing = true;
    consequence.decide = true;
    return;
  }
  const int c = (i - first_contact_) / 3;
  const Contact& contact = dynamics_.shape().contacts[c];
  switch ((i - first_contact_) % 3) {
    case 0:
      if (passes_by(c, at)) {
        dynamics_.turn(contact, contacts_.velocity(c, at).normalized());
        consequence.mode.sense = dynamics_.mode().sense;
        return;
      }
      consequence.ended.sliding.push_back(c);
      break;
    case 1:
      if (dynamics_.sharing().of_row(contact.rows[0]))
        consequence.ended.sharing = true;
      else
        consequence.ended.sticking.push_back(c);
      break;
    default: break;
  }
  consequence.decide = true;
}

}  // namespace maggi::integration
