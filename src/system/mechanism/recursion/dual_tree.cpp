#include "system/mechanism/recursion/dual_tree.hpp"

#include "system/mechanism/tree/spring_forces.hpp"

namespace maggi::mechanism {

template <class Space>
DualTree<Space>::DualTree(const TreeModel<Space>& model)
    : linkage_(model.linkage), closures_(model.closures), springs_(model.springs), forces_(model.forces) {
  linkage_.finish();
  closures_.insert(closures_.end(), model.frame_functions.begin(), model.frame_functions.end());
  for (std::size_t c = 0; c < closures_.size(); ++c) owners_.insert(owners_.end(), closures_[c].rows.size(), c);
  rows_count_ = static_cast<int>(owners_.size());
  quantities_ = rows_count_ + static_cast<int>(model.sums.size());
  state_ = linkage_.state();
  int nq = 0;
  for (const Link<Space>& link : linkage_.links)
    nq += link.freedom == Freedom::ball ? 4 : link.freedom == Freedom::none ? 0 : 1;
  q.resize(static_cast<std::size_t>(nq));
  v.resize(static_cast<std::size_t>(linkage_.n()));
  evaluated_.resize(owners_.size());
  balance_.resize(linkage_.n());
}

template <class Space>
void DualTree<Space>::move() {
  linkage_.positions(q.data(), state_);
  linkage_.velocities(v.data(), state_);
  ClosureRow<Space>* row = evaluated_.data();
  for (const Closure<Space>& closure : closures_) {
    closure.evaluate(state_, true, row);
    row += closure.rows.size();
  }
}

template <class Space>
void DualTree<Space>::load(const double* vdot, const double* forces) {
  linkage_.accelerations(v.data(), vdot, state_);
  linkage_.inertia_forces(state_);
  apply_springs(springs_, state_);
  for (int i = 0; i < rows_count_; ++i) {
    const Wrench<Space> F = evaluated_[static_cast<std::size_t>(i)].W * forces[i];
    state_.force[closure_of(i).b] -= F;
    state_.force[closure_of(i).a] += F;
  }
  linkage_.carry(state_, balance_);
  for (Dual& entry : balance_) entry = -entry;
  for (const CoordinateForce<Dual>& F : forces_)
    balance_[F.v] += F.force - F.stiffness * (q[F.q] - F.rest) - F.damping * v[F.v];
}

template <class Space>
Dual DualTree<Space>::rate(int i) const {
  const Closure<Space>& closure = closure_of(i);
  return evaluated_[static_cast<std::size_t>(i)].W.dot(state_.V[closure.b] - state_.V[closure.a]);
}

template <class Space>
Dual DualTree<Space>::acceleration(int i) const {
  const Closure<Space>& closure = closure_of(i);
  const ClosureRow<Space>& row = evaluated_[static_cast<std::size_t>(i)];
  return row.Wdot.dot(state_.V[closure.b] - state_.V[closure.a]) + row.W.dot(state_.A[closure.b] - state_.A[closure.a]);
}

template class DualTree<PlanarOver<Dual>>;
template class DualTree<SpatialOver<Dual>>;

}  // namespace maggi::mechanism
