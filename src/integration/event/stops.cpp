#include "integration/event/stops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "dynamics/contacts.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {

/// Which coordinates each velocity changes that moves a one-sided row.
std::vector<std::vector<int>> coordinates_of_velocities(const System& system) {
  const Shape& shape = system.shape();
  std::vector<std::vector<int>> result(shape.n());
  Vector v = Vector::Zero(shape.n()), qdot(shape.nq());
  const Vector anywhere = Vector::LinSpaced(shape.nq(), 0.3, 0.7);  // of a quaternion: all of it
  for (int e = 0; e < shape.C.size(); ++e) {
    const int j = shape.C.col[e];
    if (!shape.rows[shape.C.row[e]].one_sided || !result[j].empty()) continue;
    v[j] = 1.0;
    system.coordinate_rates(anywhere.data(), v.data(), qdot.data());
    v[j] = 0.0;
    for (int k = 0; k < shape.nq(); ++k)
      if (qdot[k] != 0.0) result[j].push_back(k);
  }
  return result;
}

}  // namespace

Stops::Stops(Dynamics& dynamics)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      coordinates_(coordinates_of_velocities(dynamics.system())),
      f_(Vector::Zero(shape_.m())),
      phi_(f_),
      length_(f_),
      resolution_(f_),
      rate_(f_),
      C_(shape_.m(), shape_.n()) {
  for (int i = 0; i < shape_.s_p; ++i)
    if (shape_.rows[i].one_sided) rows_.push_back(i);
}

void Stops::look(const State& at) {
  constexpr double gap = 1e-10, speed = 1e-12;
  Workspace& w = dynamics_.workspace();
  dynamics_.system().position(at, w);
  f_.head(shape_.s_p) = w.terms.f;
  dynamics_.system().velocity(at, w);
  phi_.head(shape_.s_p) = w.terms.phi.head(shape_.s_p);
  length_.setZero();
  resolution_.setZero();
  for (int e = 0; e < shape_.C.size(); ++e) {
    const int i = shape_.C.row[e];
    if (i >= shape_.s_p) continue;
    Largest size(1.0);
    for (const int k : coordinates_[shape_.C.col[e]]) size.note(1.0 + std::abs(at.q[k]));
    length_[i] += std::abs(w.terms.C[e]);
    resolution_[i] += gap * size.value() * std::abs(w.terms.C[e]);
  }
  speed_scale_ = speed * (1.0 + largest(at.v));
}

Mode Stops::settle(const State& at, Mode mode, const std::vector<int>& touching) {
  const std::size_t most = 100 + 10 * touching.size();
  for (std::size_t round = 0; round < most; ++round) {
    try_mode(dynamics_, at, mode, a_);
    const int wrong = first_contradiction(at, mode, touching);
    if (wrong < 0) return mode;
    mode.rows[wrong] = !mode.rows[wrong];
  }
  const Row& row = shape_.rows[touching.front()];
  throw Error(Errc::numerics, row.where,
              fmt::format("at t = {:.9g} s it is not decided which one-sided constraints press, \"{}\" and {} others",
                          at.t, row.name, touching.size() - 1));
}

/// Rounding apart: of the forces and accelerations that λ and f̈ are made of.
int Stops::first_contradiction(const State& at, const Mode& mode, const std::vector<int>& touching) {
  constexpr double rounding = 1e-10;
  Workspace& w = dynamics_.workspace();
  dynamics_.system().acceleration(at, w);
  shape_.C.scatter(w.terms.C, C_);
  rate_ = C_ * a_.vdot - w.terms.gamma;
  const double force = w.terms.h.norm() + a_.reaction.norm();
  const auto contradicts = [&](int i) {
    if (mode.rows[i]) return a_.lambda[i] * C_.row(i).norm() < -rounding * force;
    return rate_[i] < -rounding * (C_.row(i).cwiseAbs().dot(a_.vdot.cwiseAbs()) + std::abs(w.terms.gamma[i]));
  };
  const auto found = std::ranges::find_if(touching, contradicts);
  return found == touching.end() ? -1 : *found;
}

void report_stops(const Shape& shape, const Mode& before, const Mode& after, const std::vector<int>& hit,
                  std::vector<EventRecord>& records) {
  for (int i = 0; i < shape.s_p; ++i) {
    if (!shape.rows[i].one_sided) continue;
    const bool impact = std::ranges::find(hit, i) != hit.end(), changed = before.rows[i] != after.rows[i];
    if (!impact && !changed) continue;
    EventRecord record;
    record.name = shape.rows[i].name;
    if (impact) record.what = "impact";
    if (changed) record.what += fmt::format("{}{}", impact ? ", " : "", after.rows[i] ? "rests" : "released");
    if (changed) (after.rows[i] ? record.on : record.off).push_back(record.name);
    records.push_back(std::move(record));
  }
}

}  // namespace maggi::integration
