#include "dynamics/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {
// of the force that it can bear: rounding of the solution, not more
constexpr double cone_tolerance = 1e-12;

SlidingVector pick(const Vector& all, const std::vector<int>& entries) {
  SlidingVector picked = SlidingVector::Zero();
  for (std::size_t k = 0; k < entries.size(); ++k) picked[static_cast<Eigen::Index>(k)] = all[entries[k]];
  return picked;
}
}  // namespace

Contacts::Contacts(Dynamics& dynamics) : dynamics_(dynamics), shape_(dynamics.shape()), C_(shape_.m(), shape_.n()) {}

/// τ of one contact.
SlidingVector Contacts::force(int contact, const Acceleration& a) const {
  return pick(a.tau, shape_.contacts[contact].laws);
}

/// v_t, from φ of the rows by which it would stick; velocity() has been called.
SlidingVector Contacts::velocity(int contact) const {
  return pick(dynamics_.workspace().terms.phi, shape_.contacts[contact].rows);
}

/// dv_t/dt = C v̇ − γ
SlidingVector Contacts::acceleration(int contact, const State& at, const Acceleration& a) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().acceleration(at, w);
  shape_.C.scatter(w.terms.C, C_);
  return pick(C_ * a.vdot - w.terms.gamma, shape_.contacts[contact].rows);
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

void Contacts::slide(int contact, const SlidingVector& sense, Mode& mode) const {
  const Contact& c = shape_.contacts[contact];
  for (std::size_t k = 0; k < c.laws.size(); ++k) {
    mode.rows[c.rows[k]] = false;
    mode.sense[c.laws[k]] = sense[static_cast<Eigen::Index>(k)];
  }
}

void Contacts::stick(int contact, Mode& mode) const {
  const Contact& c = shape_.contacts[contact];
  for (std::size_t k = 0; k < c.laws.size(); ++k) {
    mode.rows[c.rows[k]] = true;
    mode.sense[c.laws[k]] = 0.0;
  }
}

void Contacts::let_all_go() {
  Mode mode = dynamics_.mode();
  for (int c = 0; c < static_cast<int>(shape_.contacts.size()); ++c)
    if (sticks(c, mode)) slide(c, SlidingVector::UnitX(), mode);
  if (!(mode == dynamics_.mode())) dynamics_.set_mode(std::move(mode));
}

Mode Contacts::begin(const State& at, Mode mode) {
  dynamics_.system().velocity(at, dynamics_.workspace());
  for (int c = 0; c < static_cast<int>(shape_.contacts.size()); ++c) {
    const SlidingVector v = velocity(c);
    if (is_at_rest(v, at.v))
      stick(c, mode);
    else
      slide(c, v.normalized(), mode);
  }
  return settle(at, std::move(mode), -1);
}

Mode Contacts::change(int contact, bool let_go, const State& at, Mode mode) {
  stick(contact, mode);
  return settle(at, std::move(mode), let_go ? contact : -1);
}

/// Contacts that stick are let go one after the other until the rest holds. `let_go` does not hold in any case.
Mode Contacts::settle(const State& at, Mode mode, int let_go) {
  Acceleration a;
  std::vector<int> released;
  for (;;) {
    try_mode(dynamics_, at, mode, a);
    int worst = let_go;
    let_go = -1;
    double most = 1.0 + cone_tolerance;
    for (int c = 0; worst < 0 && c < static_cast<int>(shape_.contacts.size()); ++c) {
      if (!sticks(c, mode)) continue;
      const double needed = force(c, a).norm(), bears = needed + reserve(c, at, a);
      if (needed > most * bears + cone_tolerance * a.reaction.norm()) most = needed / bears, worst = c;
    }
    if (worst < 0) break;
    slide(worst, -force(worst, a).normalized(), mode);
    released.push_back(worst);
  }
  turn_with_acceleration(at, mode, a, released);
  for (const int c : released) {
    const SlidingVector sense = pick(mode.sense, shape_.contacts[c].laws);
    if (acceleration(c, at, a).dot(sense) < -cone_tolerance * (1.0 + a.vdot.norm()))
      refuse(c, at, "it cannot stick, and sliding it would move against its own sense");
  }
  return mode;
}

/// In a plane a contact begins to slide along its acceleration, which depends on the direction σ of the friction; both
/// are found by repetition of first_sense().
void Contacts::turn_with_acceleration(const State& at, Mode& mode, Acceleration& a, const std::vector<int>& released) {
  constexpr int most = 100;
  constexpr double noticeable = 1e-9;
  for (int i = 0; i < most; ++i) {
    Largest turned;
    for (const int c : released) {
      const std::vector<int>& laws = shape_.contacts[c].laws;
      if (laws.size() == 1) continue;
      const SlidingVector along = acceleration(c, at, a);
      if (along.norm() <= noticeable * (1.0 + a.vdot.norm())) continue;  // its direction is rounding
      const SlidingVector sense = first_sense(c, at, mode, along);
      turned.note((sense - pick(mode.sense, laws)).norm());
      slide(c, sense, mode);
      try_mode(dynamics_, at, mode, a);
    }
    if (turned.value() < cone_tolerance) return;
  }
}

/// The direction in which the acceleration of sliding points if the friction acts against it:
///
///     a(σ) ≈ b + B σ,   a = κ σ,   |σ| = 1      →   |(κ − B)⁻¹ b| = 1,  which falls from more than 1 while κ grows
///     from 0
SlidingVector Contacts::first_sense(int contact, const State& at, const Mode& mode, const SlidingVector& along) {
  constexpr double part = 1e-3;  // of σ; without a normal force that depends on it, a is linear
  const SlidingVector sense = pick(mode.sense, shape_.contacts[contact].laws);
  Eigen::Matrix3d B = Eigen::Matrix3d::Zero();
  Acceleration beside;
  const auto size = static_cast<Eigen::Index>(shape_.contacts[contact].laws.size());
  for (Eigen::Index j = 0; j < size; ++j) {
    Mode probe = mode;
    slide(contact, sense + part * SlidingVector::Unit(j), probe);
    try_mode(dynamics_, at, probe, beside);
    B.col(j) = (acceleration(contact, at, beside) - along) / part;
  }
  const SlidingVector b = along - B * sense;
  const auto solution = [&](double kappa) {
    return SlidingVector((kappa * Eigen::Matrix3d::Identity() - B).fullPivLu().solve(b));
  };
  double low = 0.0, high = b.norm() + B.norm();
  if (!(solution(low).norm() >= 1.0)) return along.normalized();  // it would stick
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = (low + high) / 2.0;
    if (middle == low || middle == high) break;
    (solution(middle).norm() >= 1.0 ? low : high) = middle;
  }
  return solution(high).normalized();
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
    if (contact.laws.size() == 1 || sticks(c, dynamics_.mode()) || is_at_rest(now, v)) continue;
    dynamics_.turn(contact, now.normalized());
  }
}

void Contacts::refuse(int contact, const State& at, const std::string& why) const {
  const Contact& c = shape_.contacts[contact];
  throw Error(Errc::numerics, c.where,
              fmt::format("at t = {:.9g} s contact \"{}\" has no motion: {}", at.t, c.name, why),
              "the friction is too large for this configuration; maggi does not choose for you");
}

bool is_at_rest(const Eigen::Ref<const Vector>& sliding, const Eigen::Ref<const Vector>& v) {
  constexpr double rounding = 1e-12;
  return within(sliding.norm(), rounding * (1.0 + largest(v)));
}

void try_mode(Dynamics& dynamics, const State& at, const Mode& mode, Acceleration& a) {
  dynamics.set_mode(mode);
  dynamics.decide_rows(at);
  if (dynamics.solve(at, a)) return;
  const std::string why = dynamics.explain(at);
  check_laws(dynamics, at);
  throw Error(Errc::numerics, {}, fmt::format("at t = {:.9g} s there are no forces: {}", at.t, why));
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
