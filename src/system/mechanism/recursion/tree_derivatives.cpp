#include "system/mechanism/recursion/tree_derivatives.hpp"

#include <algorithm>

#include "system/mechanism/kinematics/quaternion.hpp"

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

/// What a DualTree is made of.
template <class Lifted, class Space>
TreeModel<Lifted> lifted_model(const TreeModel<Space>& model) {
  TreeModel<Lifted> result;
  result.linkage.links.clear();
  for (const Link<Space>& link : model.linkage.links) result.linkage.add(lifted_link<Lifted>(link));
  result.linkage.origin = lifted(model.linkage.origin);
  result.linkage.gravity = lifted(model.linkage.gravity);
  for (const Closure<Space>& closure : model.closures) result.closures.push_back(lifted_closure<Lifted>(closure));
  for (const Closure<Space>& function : model.frame_functions)
    result.frame_functions.push_back(lifted_closure<Lifted>(function));
  result.sums = model.sums;
  for (const SpringElement<Space>& spring : model.springs) result.springs.push_back(lifted_spring<Lifted>(spring));
  for (const CoordinateForce<double>& F : model.forces)
    result.forces.push_back({F.q, F.v, F.stiffness, F.damping, F.force, F.rest});
  return result;
}

}  // namespace

template <class Space>
TreeDerivatives<Space>::TreeDerivatives(const TreeModel<Space>& model) : tree_(lifted_model<Lifted>(model)) {}

/// A displacement along one velocity changes a coordinate by as much, or a quaternion by ½ q (0, e).
template <class Space>
void TreeDerivatives<Space>::seed_position(int velocity, int direction, const double* q) {
  const Link<Lifted>& link = tree_.linkage().links[tree_.linkage().link_of(velocity)];
  if (link.freedom != Freedom::ball) {
    tree_.q[link.q].set_slope(direction, 1.0);
    return;
  }
  const Vector3 axis = Vector3::Unit(velocity - link.v);
  const Eigen::Vector4d rate = quaternion_rate(q + link.q, axis.data());
  for (int i = 0; i < 4; ++i) tree_.q[link.q + i].set_slope(direction, rate[i]);
}

/// The columns from `first` on: those by positions, then those by velocities.
template <class Space>
void TreeDerivatives<Space>::seed(int first, int count, const double* q, const double* v) {
  const int n = tree_.linkage().n();
  std::copy_n(q, tree_.q.size(), tree_.q.begin());
  std::copy_n(v, tree_.v.size(), tree_.v.begin());
  for (int k = 0; k < count; ++k)
    if (first + k < n)
      seed_position(first + k, k, q);
    else
      tree_.v[first + k - n].set_slope(k, 1.0);
}

template <class Space>
void TreeDerivatives<Space>::velocity(const double* q, const double* v, FunctionDerivatives& d) {
  const int n = tree_.linkage().n();
  d.rate_q.setZero(tree_.quantities(), n);
  for (int first = 0; first < n; first += Dual::directions) {
    const int count = std::min(Dual::directions, n - first);
    seed(first, count, q, v);
    tree_.move();
    for (int i = 0; i < tree_.rows(); ++i) {
      const Dual rate = tree_.rate(i);
      for (int k = 0; k < count; ++k) d.rate_q(i, first + k) = rate.slope(k);
    }
  }
}

template <class Space>
void TreeDerivatives<Space>::acceleration(const double* q, const double* v, const double* vdot, const double* forces,
                                          FunctionDerivatives& d) {
  const int n = tree_.linkage().n();
  for (Matrix* of_quantities : {&d.rate_q, &d.acceleration_q, &d.acceleration_v})
    of_quantities->setZero(tree_.quantities(), n);
  for (Matrix* balance : {&d.balance_q, &d.balance_v}) balance->setZero(n, n);
  for (int first = 0; first < 2 * n; first += Dual::directions) {
    const int count = std::min(Dual::directions, 2 * n - first);
    seed(first, count, q, v);
    tree_.move();
    tree_.load(vdot, forces);
    store(first, count, d);
  }
}

template <class Space>
void TreeDerivatives<Space>::store(int first, int count, FunctionDerivatives& d) const {
  const int n = tree_.linkage().n();
  for (int i = 0; i < tree_.rows(); ++i) {
    const Dual rate = tree_.rate(i), acceleration = tree_.acceleration(i);
    for (int k = 0; k < count; ++k) {
      const int column = first + k;
      if (column < n) d.rate_q(i, column) = rate.slope(k);
      (column < n ? d.acceleration_q(i, column) : d.acceleration_v(i, column - n)) = acceleration.slope(k);
    }
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < count; ++k) {
      const int column = first + k;
      (column < n ? d.balance_q(i, column) : d.balance_v(i, column - n)) = tree_.balance()[i].slope(k);
    }
}

template class TreeDerivatives<Planar>;
template class TreeDerivatives<Spatial>;

}  // namespace maggi::mechanism
