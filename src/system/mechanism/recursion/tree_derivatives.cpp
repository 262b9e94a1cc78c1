#include "system/mechanism/recursion/tree_derivatives.hpp"

#include <algorithm>

#include "system/mechanism/kinematics/quaternion.hpp"

namespace maggi::mechanism {

namespace {

/// What a DualTree is made of.
template <class Space>
TreeModel<typename Lift<Space, Dual>::Lifted> lifted_model(const TreeModel<Space>& model) {
  using ToDual = Lift<Space, Dual>;
  TreeModel<typename ToDual::Lifted> result;
  result.linkage = ToDual::of(model.linkage);
  result.closures = ToDual::all_of(model.closures);
  result.frame_functions = ToDual::all_of(model.frame_functions);
  result.sums = model.sums;
  result.springs = ToDual::all_of(model.springs);
  for (const CoordinateForce<double>& F : model.forces)
    result.forces.push_back({F.q, F.v, F.stiffness, F.damping, F.force, F.rest});
  return result;
}

}  // namespace

template <class Space>
TreeDerivatives<Space>::TreeDerivatives(const TreeModel<Space>& model) : tree_(lifted_model(model)) {}

/// A displacement along one velocity changes a coordinate by as much, or a quaternion by ½ q (0, e).
template <class Space>
void TreeDerivatives<Space>::seed_position(int velocity, int direction, const double* q) {
  const Link<Lifted>& link = tree_.linkage().links[tree_.linkage().link_of(velocity)];
  if (link.freedom != Freedom::ball) {
    tree_.q[link.q].set_slope(direction, 1.0);
    return;
  }
  const Vector3 axis = Vector3::Unit(velocity - link.v);
  const Eigen::Vector4d rate = quaternion_rate(q + link.q, in_ball_frame(link.own, axis.data()).data());
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
