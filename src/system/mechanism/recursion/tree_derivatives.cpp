#include "system/mechanism/recursion/tree_derivatives.hpp"

#include <algorithm>
#include <cmath>

#include "system/mechanism/kinematics/quaternion.hpp"
#include "system/mechanism/tree/spring_forces.hpp"

namespace maggi::mechanism {

namespace {

// constants of one space as constants of the other

Vector2Over<Dual> lifted(const Vector2& x) { return x.cast<Dual>(); }
Vector3Over<Dual> lifted(const Vector3& x) { return x.cast<Dual>(); }
PlanarOver<Dual>::Rotation lifted(const Planar::Rotation& R) { return {R.c, R.s}; }
SpatialOver<Dual>::Rotation lifted(const Spatial::Rotation& R) { return {R.R.cast<Dual>()}; }
Dual lifted(double inertia) { return inertia; }
Symmetric3Over<Dual> lifted(const Symmetric3& I) { return {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}; }

template <class Lifted, class Space>
Pose<Lifted> lifted_pose(const Pose<Space>& pose) {
  return {lifted(pose.R), lifted(pose.p)};
}

template <class Lifted, class Space>
Link<Lifted> lifted_link(const Link<Space>& link) {
  Link<Lifted> result;
  result.parent = link.parent, result.freedom = link.freedom, result.axis = link.axis;
  result.sign = link.sign, result.pitch = link.pitch;
  result.joined = lifted_pose<Lifted>(link.joined);
  result.q = link.q, result.v = link.v, result.velocities = link.velocities, result.turn = link.turn;
  result.carries_body = link.carries_body;
  result.m = link.m, result.c = lifted(link.c), result.I = lifted(link.I);
  return result;
}

template <class Lifted, class Space>
Closure<Lifted> lifted_closure(const Closure<Space>& closure) {
  Closure<Lifted> result;
  result.a = closure.a, result.b = closure.b;
  result.on_a = lifted_pose<Lifted>(closure.on_a), result.on_b = lifted_pose<Lifted>(closure.on_b);
  result.rows = closure.rows;
  result.length = closure.length, result.pitch = closure.pitch;
  return result;
}

template <class Lifted, class Space>
SpringElement<Lifted> lifted_spring(const SpringElement<Space>& spring) {
  return {{spring.a.link, lifted(spring.a.at)},
          {spring.b.link, lifted(spring.b.at)},
          spring.stiffness,
          spring.damping,
          spring.force,
          spring.length};
}

}  // namespace

template <class Space>
TreeDerivatives<Space>::TreeDerivatives(const TreeModel<Space>& model) : model_(model), forces_(model.forces) {
  linkage_.links.clear();
  for (const Link<Space>& link : model.linkage.links) linkage_.add(lifted_link<Lifted>(link));
  linkage_.origin = lifted(model.linkage.origin);
  linkage_.origin_in_model = lifted(model.linkage.origin_in_model);
  linkage_.gravity = lifted(model.linkage.gravity);
  linkage_.finish();
  for (const auto* closures : {&model.closures, &model.frame_functions})
    for (const Closure<Space>& closure : *closures) {
      closures_.push_back(lifted_closure<Lifted>(closure));
      rows_count_ += static_cast<int>(closure.rows.size());
    }
  for (const SpringElement<Space>& spring : model.springs) springs_.push_back(lifted_spring<Lifted>(spring));
  quantities_ = rows_count_ + static_cast<int>(model.sums.size());
  state_ = linkage_.state();
  q_.resize(static_cast<std::size_t>(model.shape.nq()));
  v_.resize(static_cast<std::size_t>(linkage_.n()));
  rows_.resize(static_cast<std::size_t>(rows_count_));
  balance_.resize(linkage_.n());
  plain_ = model.linkage.state();
  plain_rows_.resize(rows_.size());
  moved_.resize(linkage_.n());
  resistance_.resize(linkage_.n());
}

template <class Space>
void TreeDerivatives<Space>::begin(const double* q, const double* v) {
  std::copy_n(q, q_.size(), q_.begin());
  std::copy_n(v, v_.size(), v_.begin());
}

/// A displacement along one velocity changes a coordinate by as much, or a quaternion by ½ q (0, e).
template <class Space>
void TreeDerivatives<Space>::seed_positions(int first, int count, const double* q) {
  for (Dual& value : q_) value = value.value;
  for (int k = 0; k < count; ++k) {
    const Link<Lifted>& link = linkage_.links[linkage_.link_of(first + k)];
    if (link.freedom != Freedom::ball) {
      q_[link.q].set_slope(k, 1.0);
      continue;
    }
    const Vector3 axis = Vector3::Unit(first + k - link.v);
    const Eigen::Vector4d rate = quaternion_rate(q + link.q, axis.data());
    for (int i = 0; i < 4; ++i) q_[link.q + i].set_slope(k, rate[i]);
  }
}

template <class Space>
void TreeDerivatives<Space>::move() {
  linkage_.positions(q_.data(), state_);
  linkage_.velocities(v_.data(), state_);
  ClosureRow<Lifted>* row = rows_.data();
  for (const Closure<Lifted>& closure : closures_) {
    closure.evaluate(state_, true, row);
    row += closure.rows.size();
  }
}

/// Calls visit(closure, row, number) for all rows of closures.
template <class Space>
template <class Visit>
void TreeDerivatives<Space>::for_rows(Visit visit) const {
  int i = 0;
  for (const Closure<Lifted>& closure : closures_)
    for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i) visit(closure, rows_[static_cast<std::size_t>(i)], i);
}

/// balance_: h + Sᵀσ − M v̇, but for the forces along sums of coordinates, which depend on nothing.
template <class Space>
void TreeDerivatives<Space>::load(const double* vdot, const double* forces) {
  linkage_.accelerations(v_.data(), vdot, state_);
  linkage_.inertia_forces(state_);
  apply_springs(springs_, state_);
  for_rows([&](const Closure<Lifted>& closure, const ClosureRow<Lifted>& row, int i) {
    const Wrench<Lifted> F = row.W * forces[i];
    state_.force[closure.b] -= F;
    state_.force[closure.a] += F;
  });
  linkage_.carry(state_, balance_);
  for (Dual& entry : balance_) entry = -entry;
  for (const CoordinateForce& F : forces_)
    balance_[F.v] += F.force - F.stiffness * (q_[F.q] - F.rest) - F.damping * v_[F.v];
}

template <class Space>
void TreeDerivatives<Space>::store_rates(int first, int count, Matrix& rates) const {
  for_rows([&](const Closure<Lifted>& closure, const ClosureRow<Lifted>& row, int i) {
    const Dual rate = row.W.dot(state_.V[closure.b] - state_.V[closure.a]);
    for (int k = 0; k < count; ++k) rates(i, first + k) = rate.slope(k);
  });
}

template <class Space>
void TreeDerivatives<Space>::store_accelerations(int first, int count, Matrix& accelerations, Matrix& balance) const {
  for_rows([&](const Closure<Lifted>& closure, const ClosureRow<Lifted>& row, int i) {
    const Dual acceleration =
        row.Wdot.dot(state_.V[closure.b] - state_.V[closure.a]) + row.W.dot(state_.A[closure.b] - state_.A[closure.a]);
    for (int k = 0; k < count; ++k) accelerations(i, first + k) = acceleration.slope(k);
  });
  for (int i = 0; i < linkage_.n(); ++i)
    for (int k = 0; k < count; ++k) balance(i, first + k) = balance_[i].slope(k);
}

/// factor · (s̈, balance) at other velocities and the positions of plain_, added to one column.
template <class Space>
void TreeDerivatives<Space>::add_at_velocities(const double* v, const double* vdot, const double* forces, double factor,
                                               int column, FunctionDerivatives& d) {
  const Linkage<Space>& linkage = model_.linkage;
  LinkState<Space>& s = plain_;
  linkage.velocities(v, s);
  linkage.accelerations(v, vdot, s);
  linkage.inertia_forces(s);
  apply_springs(model_.springs, s);
  ClosureRow<Space>* row = plain_rows_.data();
  int i = 0;
  for (const auto* closures : {&model_.closures, &model_.frame_functions})
    for (const Closure<Space>& closure : *closures) {
      closure.evaluate(s, true, row);
      const Motion<Space> V = s.V[closure.b] - s.V[closure.a], A = s.A[closure.b] - s.A[closure.a];
      for (std::size_t k = 0; k < closure.rows.size(); ++k, ++row, ++i) {
        d.acceleration_v(i, column) += factor * (row->Wdot.dot(V) + row->W.dot(A));
        s.force[closure.b] -= row->W * forces[i];
        s.force[closure.a] += row->W * forces[i];
      }
    }
  linkage.carry(s, resistance_);
  d.balance_v.col(column) -= factor * resistance_;
  for (const CoordinateForce& F : forces_) d.balance_v(F.v, column) -= factor * F.damping * v[F.v];
}

template <class Space>
void TreeDerivatives<Space>::velocity(const double* q, const double* v, FunctionDerivatives& d) {
  const int n = linkage_.n();
  d.rate_q.setZero(quantities_, n);
  begin(q, v);
  for (int first = 0; first < n; first += Dual::directions) {
    const int count = std::min(Dual::directions, n - first);
    seed_positions(first, count, q);
    move();
    store_rates(first, count, d.rate_q);
  }
}

template <class Space>
void TreeDerivatives<Space>::acceleration(const double* q, const double* v, const double* vdot, const double* forces,
                                          FunctionDerivatives& d) {
  const int n = linkage_.n();
  for (Matrix* of_quantities : {&d.rate_q, &d.acceleration_q, &d.acceleration_v})
    of_quantities->setZero(quantities_, n);
  for (Matrix* balance : {&d.balance_q, &d.balance_v}) balance->setZero(n, n);
  begin(q, v);
  for (int first = 0; first < n; first += Dual::directions) {
    const int count = std::min(Dual::directions, n - first);
    seed_positions(first, count, q);
    move();
    load(vdot, forces);
    store_rates(first, count, d.rate_q);
    store_accelerations(first, count, d.acceleration_q, d.balance_q);
  }
  model_.linkage.positions(q, plain_);
  moved_ = Eigen::Map<const Vector>(v, n);
  double step = 1.0;  // of the size of the velocities, so that nothing is lost in the difference
  for (int j = 0; j < n; ++j) step = std::abs(v[j]) > step ? std::abs(v[j]) : step;
  for (int j = 0; j < n; ++j) {
    for (const double w : {step, -step}) {
      moved_[j] = v[j] + w;
      add_at_velocities(moved_.data(), vdot, forces, 0.5 / w, j, d);
    }
    moved_[j] = v[j];
  }
}

template class TreeDerivatives<Planar>;
template class TreeDerivatives<Spatial>;

}  // namespace maggi::mechanism
