#include "dynamics/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/largest.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {
SlidingVector pick(const Vector& all, const std::vector<int>& entries) {
  SlidingVector picked = SlidingVector::Zero();
  for (std::size_t k = 0; k < entries.size(); ++k) picked[static_cast<Eigen::Index>(k)] = all[entries[k]];
  return picked;
}
}  // namespace

/// τ of one contact.
SlidingVector Contacts::force(int contact, const Acceleration& a) const {
  return pick(a.tau, shape_.contacts[contact].laws);
}

/// v_t, from φ of the rows by which it would stick; velocity() has been called.
SlidingVector Contacts::velocity(int contact) const {
  return pick(dynamics_.workspace().terms.phi, shape_.contacts[contact].rows);
}

SlidingVector Contacts::velocity(int contact, const Instant& at) {
  dynamics_.system().velocity(at, dynamics_.workspace());
  return velocity(contact);
}

double Contacts::speed(int contact, const Instant& at) {
  return velocity(contact, at).dot(pick(dynamics_.mode().sense, shape_.contacts[contact].laws));
}

double Contacts::reserve(int contact, const Instant& at, const Acceleration& a) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().laws(at, a.lambda.data(), a.tau.data(), dynamics_.mode().sense.data(), w);
  return w.terms.hold[contact] - force(contact, a).norm();
}

bool Contacts::slides(int contact, const Mode& mode) const {
  return !pick(mode.sense, shape_.contacts[contact].laws).isZero(0.0);
}

bool Contacts::pressed(int contact, const Mode& mode) const {
  const std::vector<int>& rows = shape_.contacts[contact].pressed;
  return rows.empty() || std::ranges::any_of(rows, [&](int row) { return mode.rows[row]; });
}

double Contacts::power(int contact, const Instant& at, const Acceleration& a, double& rounding) {
  constexpr double relative = 1e-7;  // of velocities: what a search for events does not tell from zero
  const SlidingVector v_t = velocity(contact, at), tau = force(contact, a);
  const Eigen::Map<const Vector> v(at.v, shape_.n());
  rounding = relative * tau.norm() * (1.0 + largest(v));
  return slides(contact, dynamics_.mode()) ? tau.dot(v_t) : 0.0;
}

void Contacts::let_all_go() {
  Mode mode = dynamics_.mode();
  for (const Contact& contact : shape_.contacts) {
    if (!mode.rows[contact.rows[0]]) continue;
    for (std::size_t k = 0; k < contact.rows.size(); ++k) {
      mode.rows[contact.rows[k]] = false;
      mode.sense[contact.laws[k]] = k == 0 ? 1.0 : 0.0;
    }
  }
  if (!(mode == dynamics_.mode())) dynamics_.set_mode(std::move(mode));
}

void Contacts::follow(const Instant& at) {
  bool in_plane = false;
  for (const Contact& contact : shape_.contacts) in_plane = in_plane || contact.laws.size() > 1;
  if (!in_plane) return;
  dynamics_.system().velocity(at, dynamics_.workspace());
  const Eigen::Map<const Vector> v(at.v, shape_.n());
  for (int c = 0; c < static_cast<int>(shape_.contacts.size()); ++c) {
    const Contact& contact = shape_.contacts[c];
    const SlidingVector now = velocity(c);
    if (contact.laws.size() == 1 || !slides(c, dynamics_.mode()) || is_at_rest(now, v)) continue;
    dynamics_.turn(contact, now.normalized());
  }
}

bool is_at_rest(const Eigen::Ref<const Vector>& sliding, const Eigen::Ref<const Vector>& v) {
  constexpr double rounding = 1e-12;
  return within(sliding.norm(), rounding * (1.0 + largest(v)));
}

void check_laws(Dynamics& dynamics, const State& at) {
  const LawSolutions& solutions = dynamics.law_solutions(at);
  if (solutions.unique()) return;
  const Shape& shape = dynamics.shape();
  throw Error(Errc::numerics,
              solutions.contact < 0 ? shape.laws.front().where : shape.contacts[solutions.contact].where,
              fmt::format("at t = {:.9g} s the forces are not determined: {}", at.t, solutions.explain(shape)),
              "make the friction smaller; maggi does not choose for you");
}

}  // namespace maggi::integration
