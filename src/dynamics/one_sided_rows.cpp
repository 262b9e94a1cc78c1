#include "dynamics/one_sided_rows.hpp"

#include <cmath>

#include "base/largest.hpp"

namespace maggi {

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

OneSidedRows::OneSidedRows(const System& system)
    : system_(system),
      shape_(system.shape()),
      coordinates_(coordinates_of_velocities(system)),
      f_(Vector::Zero(shape_.m())),
      phi_(f_),
      length_(f_),
      resolution_(f_) {
  for (int i = 0; i < shape_.s_p; ++i)
    if (shape_.rows[i].one_sided) rows_.push_back(i);
}

void OneSidedRows::look(const State& at, Workspace& w) {
  constexpr double gap = 1e-10, speed = 1e-12;
  system_.position(at, w);
  f_.head(shape_.s_p) = w.terms.f;
  system_.velocity(at, w);
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

}  // namespace maggi
