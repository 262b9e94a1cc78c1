#pragma once
#include <span>

#include "system/mechanism/recursion/mechanism_workspace.hpp"
#include "system/mechanism/tree/written_values.hpp"

namespace maggi::mechanism {

/// The outputs of a tree at one instant: coordinates of joints that close loops, markers, angular velocities, and force
/// and torque of every joint. What acts on each link besides the joints is in w.links.force, without what it carries.
template <class Space>
class TreeOutputs {
 public:
  /// `forces`: along the gaps of the closures and the functions between frames.
  TreeOutputs(const TreeModel<Space>& model, MechanismWorkspace<Space>& w, const double* forces)
      : a_(model), w_(w), s_(w.links), forces_(forces) {
    load_closures();
    a_.linkage.carry(s_);
  }

  void write_all(const Instant& at, std::span<double> values) const {
    double* next = values.data();
    for (const LoopCoordinate& coordinate : a_.loop_coordinates)
      write(coordinate, a_.loop_joints[coordinate.joint], at.q, s_, next);
    for (const LinkPoint<Space>& marker : a_.markers)
      write(a_.linkage.origin_in_model + s_.pose[marker.link] * marker.at, next);
    if constexpr (Space::turns == 3)
      for (const int link : a_.spins) write(s_.V[link].w, next);
    for (std::size_t r = 0; r < a_.reactions.size(); ++r) {
      const JointReaction<Space>& reaction = a_.reactions[r];
      const Wrench<Space> F = reaction.link >= 0 ? s_.force[reaction.link] * reaction.sign : wrench_of_loop(r);
      write(reaction.second, F, s_, next);
      write(reaction.first, F * -1.0, s_, next);
    }
  }

 private:
  void load_closures() {
    int i = 0;
    for (const Closure<Space>& closure : a_.closures)
      for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i) {
        s_.force[closure.b] -= w_.rows[i].W * forces_[i];
        s_.force[closure.a] += w_.rows[i].W * forces_[i];
      }
    for (std::size_t k = 0; k < a_.frame_functions.size(); ++k, ++i) {
      const Wrench<Space> F = w_.frame_functions[k].W * forces_[i];
      s_.force[a_.frame_functions[k].b] -= F;
      s_.force[a_.frame_functions[k].a] += F;
    }
  }

  /// Of a joint that is not part of the tree: through its rows, and along the functions that it owns.
  Wrench<Space> wrench_of_loop(std::size_t r) const {
    Wrench<Space> sum;
    const JointReaction<Space>& reaction = a_.reactions[r];
    if (reaction.closure >= 0)
      for (std::size_t k = 0; k < a_.closures[reaction.closure].rows.size(); ++k)
        sum += w_.rows[reaction.row + static_cast<int>(k)].W * forces_[reaction.row + static_cast<int>(k)];
    for (std::size_t k = 0; k < a_.frame_functions.size(); ++k)
      if (a_.frame_function_reactions[k] == static_cast<int>(r))
        sum += w_.frame_functions[k].W * forces_[a_.shape.m() + k];
    return sum;
  }

  const TreeModel<Space>& a_;
  const MechanismWorkspace<Space>& w_;
  LinkState<Space>& s_;
  const double* forces_;
};

}  // namespace maggi::mechanism
